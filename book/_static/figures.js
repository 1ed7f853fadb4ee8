// Draws <div class="interactive-figure"> from the Plotly JSON inside it, in the colours of the page,
// and again when the reader changes between light and dark.
(function () {
  "use strict";

  function colours() {
    const dark = document.documentElement.dataset.theme === "dark";
    return dark ? { ink: "#e8ebee", grid: "#3b444d" } : { ink: "#1f2328", grid: "#dfe3e8" };
  }

  // The axes of a layout, or of its template, with lines of the page's colours.
  function axes(layout, names) {
    const { ink, grid } = colours();
    const result = {};
    names.forEach((name) => {
      result[name] = Object.assign({}, layout[name], { gridcolor: grid, zerolinecolor: grid, linecolor: ink });
    });
    return result;
  }

  function dressed(layout) {
    const clear = { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
    const template = Object.assign({}, layout.template);
    const base = template.layout || {};
    template.layout = Object.assign({}, base, clear, axes(base, ["xaxis", "yaxis"]));
    const own = Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key));
    const result = Object.assign({}, layout, clear, axes(layout, own), {
      template,
      font: Object.assign({}, layout.font, { color: colours().ink }),
      hoverlabel: { font: { color: "#1f2328" }, bgcolor: "#ffffff" },
    });
    delete result.width;
    return result;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const figures = Array.from(document.querySelectorAll(".interactive-figure"), (box) => {
      const source = box.querySelector('script[type="application/json"]');
      const figure = JSON.parse(source.textContent);
      box.setAttribute("role", "figure");
      return { box, data: figure.data, layout: figure.layout || {} };
    });
    if (!figures.length) return;
    const options = { responsive: true, displaylogo: false };
    const draw = () => figures.forEach(({ box, data, layout }) => {
      window.Plotly.react(box, data, dressed(layout), options);
    });
    draw();
    new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  });
})();
