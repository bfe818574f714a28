// Colours of the scene for light and dark pages.

export interface Theme {
  dark: boolean;
  sky: string;
  /** Undisturbed ground. */
  ground: string;
  /** Lines of the grid on the ground. */
  grid: number;
  arrow: string;
  contact: string;
  highlight: string;
  /** Lines of measured distances. */
  measure: string;
  sun: number;
  ambient: number;
}

export const LIGHT: Theme = {
  dark: false,
  sky: "#e6eaee",
  ground: "#c2b49c",
  grid: 0.1,
  arrow: "#067a46",
  contact: "#0f8f8a",
  highlight: "#ffb000",
  measure: "#b3005e",
  sun: 3.3,
  ambient: 0.85,
};

export const DARK: Theme = {
  dark: true,
  sky: "#171b21",
  ground: "#8d8272",
  grid: 0.16,
  arrow: "#3ddc84",
  contact: "#2bb8b0",
  highlight: "#ffb000",
  measure: "#ff8ac4",
  sun: 2.9,
  ambient: 0.6,
};
