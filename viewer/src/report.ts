// The script of a report: draws the charts into the places that the page has for them, and makes the copy button work. Reads its data
// from the page alone; a part that fails leaves the rest of the page as it is.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import { offerCopies } from "./report/copy";
import { drawFigures } from "./report/figures";

drawFigures(document);
offerCopies(document);
