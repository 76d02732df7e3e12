/** Reads tables with the tool `read_file`, whose rules therefore apply. */
export const TABLES = String.raw`(call) => {
  const PART_BYTES = 32000
  const readAll = async (file, as) => {
    let text = ''
    let offset = 0
    for (;;) {
      const part = await call('read_file', { file, as, offset, limit: PART_BYTES })
      text += part.text ?? part.content ?? ''
      if (part.nextOffset === undefined) return { text, note: part.note }
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
    const { mimeType, name } = await call('read_file', { file, as: 'record' })
    if (/^text\//.test(mimeType)) {
      const { text } = await readAll(file, 'text')
      return toTable(parseCsv(text, mimeType === 'text/tab-separated-values' ? '\t' : undefined))
    }
    const { text, note } = await readAll(file, 'table')
    if (note) throw new Error(name + ': ' + note)
    const sheets = JSON.parse(text)
    const found = sheet === undefined ? sheets[0] : sheets.find((each) => each.name === sheet)
    if (!found) throw new Error('There is no sheet ' + sheet + '. Sheets: ' + sheets.map((each) => each.name).join(', '))
    return toTable(found.rows)
  }
  return { readTable, parseCsv }
}`
