// The script of a report: draws the charts into the places that the page has for them, plays the replay, makes the copy button work. Reads
// its data from the page alone; a part that fails leaves the rest of the page as it is.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import { offerCopies } from "./report/copy";
import { readFigures } from "./report/data";
import { drawFigures } from "./report/figures";
import { startReplay } from "./report/replay";

const figures = readFigures(document) ?? { figures: [], phases: [] };
const replay = startReplay(document, figures);
drawFigures(document, figures, (time) => replay.then((handle) => handle?.seek(time)));
offerCopies(document);
