// The page in a frame of its own. The segment that it shows is in its address.
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    const page = URL.createObjectURL(new Blob([model.get("page")], { type: "text/html" }));
    frame.src = page;
    frame.title = "mteval";
    frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
    const address = () => new URLSearchParams(frame.contentWindow?.location.hash.slice(1));
    const read = () => {
      const shown = address().get("n");
      if (shown === null || Number(shown) === model.get("segment")) return;
      model.set("segment", Number(shown));
      model.save_changes();
    };
    const write = () => {
      const given = address();
      if (model.get("segment") === null || String(model.get("segment")) === given.get("n")) return;
      given.set("n", model.get("segment"));
      if (!given.has("s")) given.set("s", "number");
      frame.contentWindow.location.hash = given;
    };
    frame.onload = write;
    model.on("change:segment", write);
    el.append(frame);
    const timer = setInterval(read, 200);
    return () => {
      clearInterval(timer);
      model.off("change:segment", write);
      URL.revokeObjectURL(page);
    };
  },
};
