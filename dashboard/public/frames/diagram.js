// Draws diagrams for dashboard/components/markdown/draw-diagram.ts. The sources come from users and models.
addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== parent || !port) return
  port.onmessage = async ({ data }) => port.postMessage(await draw(data))
})

let drawn = 0

async function draw({ source, palette }) {
  const { isDark, background, text, line, surface, border } = palette
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: 10_000,
    // Some browsers run the frame in the page’s process: 300 crossing edges would block it for 16 seconds.
    maxEdges: 150,
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    fontFamily: 'system-ui, sans-serif',
    look: 'classic',
    theme: 'base',
    themeVariables: {
      darkMode: isDark,
      fontFamily: 'system-ui, sans-serif',
      fontSize: '13px',
      background,
      primaryColor: surface,
      primaryTextColor: text,
      primaryBorderColor: border,
      secondaryColor: background,
      tertiaryColor: background,
      lineColor: line,
      textColor: text,
      actorBkg: surface,
      actorBorder: border,
      actorTextColor: text,
      actorLineColor: line,
      signalColor: text,
      signalTextColor: text,
      noteBkgColor: background,
      noteBorderColor: border,
      noteTextColor: text,
      edgeLabelBackground: background,
      dropShadow: 'none',
    },
  })
  try {
    const { svg } = await mermaid.render(`diagram-${++drawn}`, source)
    return sized(svg)
  } catch {
    return null
  } finally {
    document.body.replaceChildren()
  }
}

/** An image needs its size in the file, and a namespace. */
function sized(svg) {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  root.setAttribute('width', String(width))
  root.setAttribute('height', String(height))
  root.style.removeProperty('max-width')
  for (const link of root.querySelectorAll('a')) link.replaceWith(...link.childNodes)
  return { svg: new XMLSerializer().serializeToString(root), width, height }
}
