import { describe, expect, test } from 'vitest'
import type { AgentCall, AgentStep } from '../../../../api/runs.ts'
import { buildTimeline, createScale } from './timeline.ts'

const START = Date.parse('2027-01-01T00:00:00.000Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

const call = (values: Partial<AgentCall>): AgentCall => ({
  ordinal: 1,
  callId: 'c',
  tool: 'read_canvas',
  input: {},
  effect: 'read',
  risk: 'none',
  state: 'done',
  attempts: 1,
  output: null,
  outputFileId: null,
  images: [],
  errorCode: null,
  approvalId: null,
  childRunId: null,
  cost: null,
  program: null,
  startedAt: null,
  finishedAt: null,
  ...values,
})

const step = (
  n: number,
  attempt: number,
  from: number,
  to: number | null,
  calls: AgentCall[] = [],
): AgentStep => ({
  n,
  attempt,
  kind: 'answer',
  state: to === null ? 'streaming' : 'done',
  model: 'test/script',
  text: '',
  finish: null,
  usage: null,
  cost: null,
  errorCode: null,
  error: null,
  startedAt: at(from),
  firstTokenAt: null,
  finishedAt: to === null ? null : at(to),
  calls,
  guardrails: [],
  descriptions: [],
})

describe('a timeline scale', () => {
  test('is proportional while a step or call is working', () => {
    const positionOf = createScale(
      [
        { from: 0, to: 10 },
        { from: 5, to: 20 },
      ],
      { from: 0, to: 20 },
    )
    expect([0, 5, 20, 30].map(positionOf)).toEqual([0, 0.25, 1, 1])
  })

  test('limits pauses, so a long wait hides no step', () => {
    const positionOf = createScale(
      [
        { from: 0, to: 10 },
        { from: 100_010, to: 100_020 },
      ],
      { from: 0, to: 100_020 },
    )
    // 20 ms of work, and a pause that is limited to 3 ms.
    expect(positionOf(10)).toBeCloseTo(10 / 23)
    expect(positionOf(100_010)).toBeCloseTo(13 / 23)
  })

  test('has a position for every time in a run without steps', () => {
    expect([0, 5, 10].map(createScale([], { from: 0, to: 10 }))).toEqual([0, 0.5, 1])
    expect(createScale([], { from: 3, to: 3 })(3)).toBe(0)
  })
})

describe('timeline rows', () => {
  const run = { createdAt: at(0), startedAt: at(0), finishedAt: null }

  test('are the attempts and their calls in order, with repeated attempts marked', () => {
    const { rows } = buildTimeline(
      run,
      [step(1, 1, 0, 1), step(1, 2, 2, 3, [call({})]), step(2, 1, 4, null)],
      START,
    )
    expect(rows.map(({ key, isRepeated }) => [key, isRepeated])).toEqual([
      ['1.1', true],
      ['1.2', false],
      ['1.2.1', false],
      ['2.1', false],
    ])
  })

  test("last until now if they haven't ended", () => {
    const { rows } = buildTimeline(run, [step(1, 1, 0, null)], START + 7000)
    expect(rows[0]!.span).toEqual({ from: START, to: START + 7000 })
  })

  test('separate waiting for a decision from the work after it', () => {
    const approved = call({ approvalId: 'a', startedAt: at(60), finishedAt: at(61) })
    const { rows } = buildTimeline(run, [step(1, 1, 0, 2, [approved])], START + 70_000)
    expect(rows[1]).toMatchObject({
      wait: { from: START + 2000, to: START + 60_000 },
      span: { from: START + 60_000, to: START + 61_000 },
    })
  })

  test('have no working time for a call that was denied or awaits approval', () => {
    const denied = call({ approvalId: 'a', state: 'denied', startedAt: at(9), finishedAt: at(9) })
    const open = call({ ordinal: 2, approvalId: 'b', state: 'approval' })
    const { rows } = buildTimeline(run, [step(1, 1, 0, 2, [denied, open])], START + 20_000)
    expect(rows[1]).toMatchObject({ span: null, wait: { from: START + 2000, to: START + 9000 } })
    expect(rows[2]).toMatchObject({ span: null, wait: { from: START + 2000, to: START + 20_000 } })
  })
})
