/** Reads tables with the tool `read_file`, whose rules therefore apply. */
export const TABLES = String.raw`(call) => {
  const PART_BYTES = 32000
  const readText = async (file) => {
    let text = ''
    let offset = 0
    for (;;) {
      const part = await call('read_file', { file, as: 'text', offset, limit: PART_BYTES })
      text += part.text ?? part.content ?? ''
      if (part.nextOffset === undefined) return text
      offset = part.nextOffset
    }
  }

  /** As in spreadsheets: quotes count at a cell's beginning. */
  const parseCsv = (text, delimiter = delimiterOf(text)) => {
    const rows = []
    let row = []
    let at = 0
    while (at < text.length) {
      let cell = ''
      if (text[at] === '"') {
        for (at++; at < text.length; at++) {
          if (text[at] !== '"') cell += text[at]
          else if (text[at + 1] === '"') cell += text[at++]
          else break
        }
        at++
      }
      const from = at
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
      row.push(cell + text.slice(from, at))
      if (text[at] === delimiter) {
        at++
        if (at === text.length) row.push('')
        continue
      }
      at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
      rows.push(row)
      row = []
    }
    if (row.length > 0) rows.push(row)
    return rows
  }
  const delimiterOf = (text) => {
    const line = text.slice(0, 65536).split(/\r?\n/, 1)[0]
    const count = (each) => line.split(each).length
    return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
  }

  const toTable = (all) => {
    const [header = [], ...rows] = all.filter((row) => row.some((cell) => cell !== ''))
    const columns = header.map((name, index) => name.replace(/^\uFEFF/, '').trim() || 'column' + (index + 1))
    return { columns, rows: rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? '']))) }
  }

  const readTable = async (file, { sheet } = {}) => {
    const { mimeType } = await call('read_file', { file, as: 'record' })
    if (/^text\//.test(mimeType)) {
      const text = await readText(file)
      return toTable(parseCsv(text, mimeType === 'text/tab-separated-values' ? '\t' : undefined))
    }
    let part = await readRows(file, 0)
    const { sheets } = part
    const index = sheet === undefined ? 0 : sheets.findIndex((each) => each.name === sheet)
    const found = sheets[index]
    if (!found && sheet === undefined) return toTable([])
    if (!found) throw new Error('There is no sheet ' + sheet + '. Sheets: ' + sheets.map((each) => each.name).join(', '))
    const start = sheets.slice(0, index).reduce((sum, each) => sum + each.rows, 0)
    if (start > 0) part = await readRows(file, start)
    const rows = []
    for (;;) {
      for (const each of part.parts) if (each.sheet === found.name) for (const row of each.rows) rows.push(row)
      if (part.nextOffset === undefined || part.nextOffset >= start + found.rows) return toTable(rows)
      part = await readRows(file, part.nextOffset)
    }
  }
  const readRows = async (file, offset) => {
    const { text, content, nextOffset } = await call('read_file', { file, as: 'table', offset, limit: PART_BYTES })
    return { ...JSON.parse(text ?? content), nextOffset }
  }
  return { readTable, parseCsv }
}`
