// Script of the report: draws the figures and the replay that the page carries as data.
import "./report.css";
