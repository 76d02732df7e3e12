/** Draws SVG. With `name`, writes a file with the tool `write_file`; with `block`, shows it on the canvas too. */
export const CHARTS = String.raw`(call) => {
  const WIDTH = 720
  const HEIGHT = 400
  const AREA = { left: 64, right: 24, top: 48, bottom: 56 }
  const COLORS = ['#4f6bed', '#e07a3f', '#2f9e77', '#b45ac2', '#c94f5d', '#7a8699']
  const escape = (text) =>
    String(text).replace(/[&<>"']/g, (character) => '&#' + character.charCodeAt(0) + ';')
  const round = (number) => Math.round(number * 100) / 100

  /** Rows with a label and one or more numbers, or { labels, series: { name: numbers } }. */
  const toSeries = (data) => {
    if (!Array.isArray(data)) {
      const series = Object.entries(data.series ?? {}).map(([name, values]) => ({ name, values: values.map(Number) }))
      return { labels: (data.labels ?? []).map(String), series }
    }
    const names = Object.keys(data[0] ?? {})
    const [label, ...others] = names
    const series = others.map((name) => ({ name, values: data.map((row) => Number(row[name])) }))
    return { labels: data.map((row) => String(row[label])), series }
  }

  const ticksOf = (low, high) => {
    const span = high - low || 1
    const power = 10 ** Math.floor(Math.log10(span / 4))
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= 5) ?? power * 10
    const ticks = []
    for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) ticks.push(round(tick))
    return ticks
  }
  const rangeOf = (numbers, zero) => {
    const finite = numbers.filter(Number.isFinite)
    if (finite.length === 0) throw new Error('The chart has no numbers')
    const low = finite.reduce((a, b) => Math.min(a, b))
    const high = finite.reduce((a, b) => Math.max(a, b))
    return zero ? [Math.min(0, low), Math.max(0, high) || 1] : [low, high === low ? low + 1 : high]
  }
  const scale = ([low, high], from, to) => (value) => round(from + ((value - low) / (high - low)) * (to - from))
  const plot = { left: AREA.left, right: WIDTH - AREA.right, top: AREA.top, bottom: HEIGHT - AREA.bottom }

  const frame = (title, parts, series) => {
    const legend = series.length < 2 ? [] : series.map(({ name }, index) =>
      '<text x="' + (plot.left + index * 140) + '" y="' + (HEIGHT - 10) + '" fill="' + COLORS[index % COLORS.length] + '">' + escape(name) + '</text>')
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ' + WIDTH + ' ' + HEIGHT + '" font-family="sans-serif" font-size="12">' +
      '<rect width="100%" height="100%" fill="#ffffff"/>' +
      '<text x="' + plot.left + '" y="28" font-size="16" fill="#1d2433">' + escape(title) + '</text>' +
      [...parts, ...legend].join('') + '</svg>'
  }
  const yAxis = (range, y) => ticksOf(...range).map((tick) =>
    '<line x1="' + plot.left + '" x2="' + plot.right + '" y1="' + y(tick) + '" y2="' + y(tick) + '" stroke="#e3e7ee"/>' +
    '<text x="' + (plot.left - 8) + '" y="' + (y(tick) + 4) + '" text-anchor="end" fill="#5b6577">' + tick + '</text>')
  const xLabels = (labels, x) => {
    const every = Math.ceil(labels.length / 10)
    const shown = Math.ceil(labels.length / every)
    const fitting = Math.max(4, Math.floor((plot.right - plot.left) / shown / 7))
    const shorten = (label) => label.length <= fitting ? label : label.slice(0, fitting - 1).trimEnd() + '…'
    return labels.flatMap((label, index) => index % every ? [] : [
      '<text x="' + x(index) + '" y="' + (plot.bottom + 18) + '" text-anchor="middle" fill="#5b6577">' + escape(shorten(label)) + '</text>'])
  }

  const drawLine = (data, title) => {
    const { labels, series } = toSeries(data)
    const range = rangeOf(series.flatMap(({ values }) => values), false)
    const y = scale(range, plot.bottom, plot.top)
    const x = scale([0, Math.max(1, labels.length - 1)], plot.left, plot.right)
    const lines = series.map(({ values }, index) =>
      '<polyline fill="none" stroke-width="2" stroke="' + COLORS[index % COLORS.length] + '" points="' +
      values.flatMap((value, at) => Number.isFinite(value) ? [x(at) + ',' + y(value)] : []).join(' ') + '"/>')
    return frame(title, [...yAxis(range, y), ...xLabels(labels, x), ...lines], series)
  }
  const drawBar = (data, title) => {
    const { labels, series } = toSeries(data)
    const range = rangeOf(series.flatMap(({ values }) => values), true)
    const y = scale(range, plot.bottom, plot.top)
    const slot = (plot.right - plot.left) / Math.max(1, labels.length)
    const width = (slot * 0.8) / Math.max(1, series.length)
    const x = (index) => round(plot.left + slot * (index + 0.5))
    const bars = series.flatMap(({ values }, index) => values.flatMap((value, at) => {
      if (!Number.isFinite(value)) return []
      const top = Math.min(y(value), y(0))
      return ['<rect x="' + round(plot.left + slot * at + slot * 0.1 + width * index) + '" y="' + top + '" width="' + round(width) +
        '" height="' + round(Math.abs(y(value) - y(0))) + '" fill="' + COLORS[index % COLORS.length] + '"/>']
    }))
    return frame(title, [...yAxis(range, y), ...xLabels(labels, x), ...bars], series)
  }
  const drawScatter = (data, title) => {
    const [first, second] = Object.keys(data[0] ?? {})
    const points = data.map((row) => [Number(row[first]), Number(row[second])]).filter((point) => point.every(Number.isFinite))
    const xRange = rangeOf(points.map(([value]) => value), false)
    const yRange = rangeOf(points.map(([, value]) => value), false)
    const x = scale(xRange, plot.left, plot.right)
    const y = scale(yRange, plot.bottom, plot.top)
    const ticks = ticksOf(...xRange).map((tick) =>
      '<text x="' + x(tick) + '" y="' + (plot.bottom + 18) + '" text-anchor="middle" fill="#5b6577">' + tick + '</text>')
    const dots = points.map(([a, b]) => '<circle cx="' + x(a) + '" cy="' + y(b) + '" r="4" fill="' + COLORS[0] + '" fill-opacity="0.7"/>')
    return frame(title, [...yAxis(yRange, y), ...ticks, ...dots], [])
  }

  const chart = (draw) => async (data, { title = '', name, folder, block = false } = {}) => {
    const svg = draw(data, title)
    if (name === undefined) return { svg }
    const fileName = /\.svg$/i.test(name) ? name : name + '.svg'
    const file = await call('write_file', { name: fileName, text: svg, ...(folder !== undefined && { folder }) })
    if (block)
      await call('edit_canvas', { create: [{ type: 'image', title: title || fileName, fileId: file.id, width: 480, height: 270 }] })
    return { id: file.id, name: file.name }
  }
  return { line: chart(drawLine), bar: chart(drawBar), scatter: chart(drawScatter) }
}`
