// The replay of a report: unpacks what the page carries and hands it to the player.
import type { Handle } from "../handle";
import { gunzipBase64, mountReplay } from "../replay-embed";
import type { Figures } from "../replay/format";

/** Null where the page has no replay, or the browser cannot draw it. */
export async function startReplay(root: Document, figures: Figures): Promise<Handle | null> {
  const stage = root.getElementById("replay-stage");
  const scene = root.getElementById("replay-scene")?.textContent;
  const frames = root.getElementById("replay-frames")?.textContent;
  if (!stage || !scene || !frames) return null;
  try {
    const bytes = await gunzipBase64(frames);
    stage.replaceChildren();
    const handle = await mountReplay(stage, scene, bytes, figures);
    window.touchdown = handle;
    return handle;
  } catch (error) {
    const note = root.createElement("p");
    note.className = "absent";
    note.textContent = `The replay cannot be shown here: ${error instanceof Error ? error.message : error}`;
    stage.replaceChildren(note);
    return null;
  }
}
