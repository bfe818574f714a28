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
  sun: number;
  ambient: number;
}

export const LIGHT: Theme = {
  dark: false,
  sky: "#e6eaee",
  ground: "#c6c0b5",
  grid: 0.13,
  arrow: "#067a46",
  contact: "#0f8f8a",
  highlight: "#ffb000",
  sun: 2.3,
  ambient: 1.35,
};

export const DARK: Theme = {
  dark: true,
  sky: "#171b21",
  ground: "#86817a",
  grid: 0.2,
  arrow: "#3ddc84",
  contact: "#2bb8b0",
  highlight: "#ffb000",
  sun: 1.9,
  ambient: 1.05,
};
