(() => {
  const figure = document.getElementById("mobility-map");
  const picture = figure.querySelector("img.layer");
  const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value;
  const show = () => {
    const layer = chosen("layer");
    for (const bar of document.querySelectorAll(".bar")) bar.hidden = bar.dataset.layer !== layer;
    if (!picture) return;
    picture.hidden = !layer;
    if (layer) picture.src = `${figure.dataset.folder}/${layer}-${chosen("heading")}.png`;
  };
  for (const input of document.querySelectorAll('input[name="layer"], input[name="heading"]')) input.addEventListener("change", show);
  show();
})();
