//! Exports a scenario as an FMU: `export SCENARIO LIBRARY OUT OUTPUTS [PARAMETERS] [KEY=VALUE…]`, names separated by commas.

use std::path::Path;
use touchdown_fmu::{Asked, Plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [source, library, out, outputs, parameters, sets @ ..] = &words[..] else {
        return Err("export SCENARIO LIBRARY OUT OUTPUTS PARAMETERS [KEY=VALUE…]".into());
    };
    let list = |text: &str| text.split(',').filter(|t| !t.is_empty()).map(String::from).collect();
    let asked = Asked { inputs: Vec::new(), outputs: list(outputs), parameters: list(parameters) };
    Plan::new(source, sets, &asked)?.export(Path::new(library), Path::new(out))?;
    Ok(())
}
