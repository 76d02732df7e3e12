import { expect, test } from 'vitest'
import { ConnectionError } from '../pg-errors.ts'
import { createCircuit, isStandbyFailure } from './fallback.ts'
import { catchUp, createPositionReader } from './replay.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('calls share the statement that reads a position, but never one sent before them', async () => {
  const statements: PromiseWithResolvers<{ lsn: string }[]>[] = []
  const primary = () => {
    statements.push(Promise.withResolvers())
    return statements.at(-1)!.promise
  }
  const read = createPositionReader(primary as never)
  const first = [read(), read()]
  await settle()
  expect(statements).toHaveLength(1)
  const second = [read(), read()]
  await settle()
  expect(statements).toHaveLength(1)
  statements[0]!.resolve([{ lsn: '0/1' }])
  expect(await Promise.all(first)).toMatchObject([{ lsn: '0/1' }, { lsn: '0/1' }])
  await settle()
  expect(statements).toHaveLength(2)
  statements[1]!.reject(new Error('lost'))
  for (const each of second) await expect(each).rejects.toThrow('lost')
  void read()
  await settle()
  expect(statements).toHaveLength(3)
})

test('one caller at a time retries after a failure, and the others follow once it succeeds', () => {
  let now = 0
  const circuit = createCircuit(5000, () => now)
  expect([circuit.isPaused(), circuit.tryPass(), circuit.tryPass()]).toEqual([false, true, true])
  expect([circuit.fail(), circuit.fail()]).toEqual([true, false])
  now = 4999
  expect([circuit.isPaused(), circuit.tryPass()]).toEqual([true, false])
  now = 5000
  expect([circuit.isPaused(), circuit.tryPass(), circuit.tryPass()]).toEqual([false, true, false])
  expect([circuit.fail(1000), circuit.fail(1000)]).toEqual([false, false])
  now = 7000
  expect(circuit.tryPass()).toBe(true)
  expect([circuit.succeed(), circuit.succeed()]).toEqual([true, false])
  expect([circuit.isPaused(), circuit.tryPass(), circuit.tryPass()]).toEqual([false, true, true])
})

test("a standby on another timeline than the primary isn't used, even if its position is further ahead", async () => {
  const position = { lsn: '0/1', timeline: 2, system: '1', database: 'atrium' }
  const replay = { isInRecovery: true, timeline: 1, system: '1', database: 'atrium', hasReached: true }
  const standby = (values: object) => (async () => [{ ...replay, ...values }]) as never
  await expect(catchUp(standby({}), position)).rejects.toThrow('was on timeline 1')
  await expect(catchUp(standby({ timeline: 2, system: '2' }), position)).rejects.toThrow('another cluster')
  await catchUp(standby({ timeline: 2 }), position)
})

test.each([
  ['40001', true],
  ['57014', true],
  ['57P01', true],
  ['53300', true],
  ['XX002', true],
  ['42501', true],
  ['25006', false],
  ['42P01', false],
  ['22P02', false],
  ['NOT_FOUND', false],
])('an error with the code %s is a standby failure: %s', (code, expected) => {
  expect(isStandbyFailure(Object.assign(new Error(), { code }))).toBe(expected)
})

test('a lost connection is a standby failure', () => {
  expect(isStandbyFailure(new ConnectionError('ECONNREFUSED', 'refused'))).toBe(true)
})
