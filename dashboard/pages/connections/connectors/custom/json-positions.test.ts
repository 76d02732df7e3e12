import { expect, test } from 'vitest'
import { findJsonPosition, lineAt } from './json-positions.ts'

const TEXT = `{
  "name": "A \\"quoted\\" {name}",
  "tools": [
    { "name": "find", "request": { "path": "/a" } },
    { "name": "make",
      "request": { "path": "orders" } }
  ]
}`

test.each([
  ['name', 2],
  ['tools.0.request.path', 4],
  ['tools.1.request.path', 6],
  ['tools.1.request.method', 6],
  ['baseUrl', 1],
])('positionOf finds the line for %s', (path, line) => {
  expect(lineAt(TEXT, findJsonPosition(TEXT, path)!)).toBe(line)
})

test("positionOf finds nothing in text that isn't JSON", () => {
  expect(findJsonPosition('{ "name": ', 'name')).toBeUndefined()
})
