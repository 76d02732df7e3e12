import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ARCHITECTURE_FILE, drawReads, withOverview } from './overview.ts'

const WORDS_MAX = 2000

describe('ARCHITECTURE.md', () => {
  const document = readFileSync(ARCHITECTURE_FILE, 'utf8')

  test('shows the current tree; npm run architecture updates it', () => {
    expect(document === withOverview(document), 'run npm run architecture').toBe(true)
  })

  test('describes every feature in a sentence above its exported value', () => {
    const rows = document.split('\n').filter((line) => /^\| \d+ \| `/.test(line))
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter((row) => row.split(' | ')[2]!.length < 15)).toEqual([])
  })

  test(`has at most ${WORDS_MAX} words outside the drawn tables`, () => {
    const written = document.replace(/<!-- (\w+):[\s\S]*?<!-- end of \1 -->/g, '')
    expect(written.split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX)
  })
})

test("drawReads lists each table's readers by its owner", () => {
  const readers = { runs: ['server/features/home', 'server/features/agents/changes'], agents: [] }
  const owners = { runs: 'server/features/agents/runs', agents: 'server/features/agents/agents' }
  expect(drawReads(readers, owners)).toBe(
    '| Owner | Table | Readers |\n| --- | --- | --- |\n| agents/runs | `runs` | agents/changes, home |',
  )
  expect(drawReads({}, owners)).toBe('None are declared.')
})
