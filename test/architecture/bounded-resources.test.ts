import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { POOLS } from '../../server/database/database.ts'
import { fence } from './fence.ts'
import { sources, textOf } from './imports.ts'

const DOCUMENT = 'docs/internals/bounded-resources.md'
const lines = readFileSync(join(import.meta.dirname, '../..', DOCUMENT), 'utf8').split('\n')
const rows = lines
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const rowsOf = (file: string) => rows.filter((cells) => cells.includes(`\`${file}\``))

const CREATED =
  /\b(createSemaphore|createBatches|createByteBudget|createLocalRateLimit|startLeaseLoop|startOrganizationLoop)(<[^(]*>)?\(/g
const DECLARED = /^server\/(concurrency\/|jobs\/(lease|organization)-loop\.ts)/

/** The calls in a file that create a bounded resource. */
const created = sources
  .filter(
    (file) => file.startsWith('server/') && !DECLARED.test(file) && !/\.test\.ts$|\/testing\//.test(file),
  )
  .map((file) => ({ file, count: [...textOf(file).matchAll(CREATED)].length }))
  .filter(({ count }) => count > 0)

/** The milliseconds of each `waitMs` in a file, in seconds. */
function deadlinesOf(file: string): number[] {
  const text = textOf(file)
  const evaluate = (expression: string): number => {
    if (/^[\d_]+$/.test(expression)) return Number(expression.replaceAll('_', ''))
    const [, assigned] = new RegExp(`\\b${expression} = ([\\w* ]+?)\\s*[,}\\n]`).exec(text) ?? []
    if (assigned === undefined) throw new Error(`${file} does not define ${expression}`)
    return assigned.split('*').reduce((product, factor) => product * evaluate(factor.trim()), 1)
  }
  return [...text.matchAll(/waitMs: (\w+)(?![\w.])/g)]
    .map(([, expression]) => expression!)
    .filter((expression) => expression !== 'number')
    .map((expression) => evaluate(expression) / 1000)
}

describe('bounded resources', () => {
  test('are all in the table, once each', () => {
    fence(
      `${DOCUMENT} has one row for every semaphore, batch, budget and lease loop, with its file`,
      created
        .filter(({ file, count }) => rowsOf(file).length !== count)
        .map(({ file, count }) => `${file} creates ${count}, ${rowsOf(file).length} rows`),
    )
  })

  test('have the deadlines the table names', () => {
    fence(
      `the deadlines in ${DOCUMENT} are those of the code`,
      created
        .map(({ file }) => {
          const inTable = rowsOf(file).flatMap((cells) => cells.filter((cell) => /^\d+ s$/.test(cell)))
          const inCode = deadlinesOf(file).map((seconds) => `${seconds} s`)
          return { file, inTable: [...new Set(inTable)].toSorted(), inCode: [...new Set(inCode)].toSorted() }
        })
        .filter(({ inTable, inCode }) => inTable.join() !== inCode.join())
        .map(
          ({ file, inTable, inCode }) =>
            `${file}: ${inCode.join(', ')} in the code, ${inTable.join(', ')} in the table`,
        ),
    )
  })

  test('include every pool, with its size and deadline', () => {
    const documented = Object.keys(POOLS).map((name) => {
      const cells = rows.find((row) => row[1] === `\`${name}\`` && row.length === 8)
      return [name, Number(cells?.[2]), Number(cells?.[3]), cells?.[5]]
    })
    expect(documented).toEqual(
      Object.entries(POOLS).map(([name, { connections, connectionsPerOrg, waitMs }]) => [
        name,
        connections,
        connectionsPerOrg,
        `${waitMs / 1000} s`,
      ]),
    )
  })
})
