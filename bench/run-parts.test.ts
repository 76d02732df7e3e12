import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatMeasurements, runParts } from './run-parts.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-parts-'))
})
afterAll(() => rm(folder, { recursive: true }))

const report = JSON.stringify(new URL('report.ts', import.meta.url))

async function writePart(name: string, source: string): Promise<URL> {
  const file = join(folder, `${name}.ts`)
  await writeFile(file, `import { report, reportFloor } from ${report}\n${source}`)
  return pathToFileURL(file)
}

it('runParts runs every part even if one misses its target and another crashes, and marks both in the table', async () => {
  const parts = await runParts([
    await writePart('slow', `reportFloor({ name: 'GET /slow', ratio: 0.5, ours: '50/s', floor: '100/s' })`),
    await writePart('broken', `report({ name: 'before', ours: '1 ms' })\nthrow new Error('broken')`),
    await writePart('fast', `reportFloor({ name: 'GET /fast', ratio: 0.9, ours: '90/s', floor: '100/s' })`),
  ])

  expect(parts.map(({ name, hasPassed }) => [name, hasPassed])).toEqual([
    ['slow', false],
    ['broken', false],
    ['fast', true],
  ])
  const lines = formatMeasurements(parts).split('\n')
  expect(lines.filter((line) => line.includes('MISSED')).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['GET /slow', '50/s', '100/s', '0.50', '≥ 0.85', 'MISSED'],
    ['did not finish', 'exit 1', 'exit 0', 'MISSED'],
  ])
  expect(lines.find((line) => line.includes('GET /fast'))).toMatch(/0\.90 +≥ 0\.85 +met$/)
})
