// What is drawn before what. Footprints and arrows ignore depth, so that one sees them through wheels and ground, which come before
// them; the rest of the machine comes after and hides what lies behind it.

import { CustomBlending, OneFactor, OneMinusSrcAlphaFactor, SrcAlphaFactor, ZeroFactor, type MaterialParameters } from "three";

/** Blended, yet drawn among the solid things, so that those that come later hide it. The page behind the canvas must not shine through. */
export const BLENDED_EARLY: MaterialParameters = {
  depthTest: false,
  depthWrite: false,
  blending: CustomBlending,
  blendSrc: SrcAlphaFactor,
  blendDst: OneMinusSrcAlphaFactor,
  blendSrcAlpha: ZeroFactor,
  blendDstAlpha: OneFactor,
};

export const ORDER = { touching: 0, footprints: 1, arrowsBehind: 2, machine: 3 };
