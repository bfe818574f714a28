// Script of the 3-D page.
import "./view.css";
