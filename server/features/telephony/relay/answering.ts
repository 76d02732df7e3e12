import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { createCoalescedTask } from '../../../concurrency/coalesced-task.ts'
import type { PublicContext } from '../../../context.ts'
import type { EventPage, RunListener } from '../../agents/runs/runs.ts'
import type { CallRow, Position } from '../calls/call.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { type Answers, createAnswers } from './answers.ts'
import type { Interruption } from './deliver.ts'
import { updatePosition, updateRelay } from './relay-queries.ts'
import type { Sentences } from './sentences.ts'
import {
  afterEvent,
  afterQuestion,
  afterStart,
  afterText,
  isForMember,
  newTurn,
  type Turn,
  textDue,
} from './turn.ts'
import type { Voice } from './voice.ts'

export type Command =
  | { do: 'end'; say: string | undefined }
  | { do: 'language'; language: string }
  | { do: 'digits'; digits: string }
  | { do: 'transfer' }

interface AnsweringOptions {
  options: Pick<TelephonyOptions, 'runChannel' | 'log'>
  ctx: PublicContext
  orgId: string
  call: CallRow
  connection: number
  voice: Pick<Voice, 'speak' | 'endAnswer' | 'say' | 'isSpeaking'>
  sentences: () => Sentences
  onCommand: (command: Command) => Promise<void>
  onFailed: (code: string | null) => Promise<void> | undefined
  /** Instead of telling the caller that a colleague decides. */
  onMemberNeeded?: ((reason: string) => void) | undefined
  onStep?: (() => void) | undefined
}

/** Replaced as a whole. */
interface AnsweringState {
  turn: Turn
  run: FollowedRun | null
  session: { id: string; listener: RunListener } | null
  isClosed: boolean
}

interface FollowedRun {
  runId: string
  /** Spoken over an earlier connection. */
  spokenSeq: number
  answers: Answers
  /** Null until the run is listened to. */
  listener: RunListener | null
  isEnded: boolean
}

export function createAnswering({
  options,
  ctx,
  orgId,
  call,
  connection,
  voice,
  sentences,
  onCommand,
  onFailed,
  onMemberNeeded = () => voice.say(sentences().colleague),
  onStep,
}: AnsweringOptions) {
  const now = () => ctx.now().getTime()
  const seenRuns = new Set<string>()
  let state: AnsweringState = {
    turn: newTurn(now(), call.relay.fruitless ?? 0),
    run: null,
    session: null,
    isClosed: false,
  }
  const setTurn = (turn: Turn) => {
    state = { ...state, turn }
  }
  const isFollowed = (answers: Answers) => !state.isClosed && state.run?.answers === answers

  const save = createCoalescedTask(
    async () => {
      if (!state.run) return
      const position = state.run.answers.position()
      await updatePosition(ctx.sql, orgId, call.id, { connection, position })
    },
    (err) => options.log.warn({ err }, 'could not store a call’s spoken position'),
  )

  function speak(text: string): void {
    if (text === '') return
    setTurn({ ...state.turn, isAnswered: true })
    voice.speak(text)
    save.schedule()
  }

  const listeners = () => options.runChannel.listeners()

  async function follow(runId: string, position: Position = { runId, seq: 0, offset: 0 }): Promise<void> {
    if (state.run?.runId === runId || state.isClosed) return
    state.run?.listener?.close()
    seenRuns.add(runId)
    const answers = createAnswers(position, speak)
    const run = { runId, spokenSeq: position.seq, answers, listener: null, isEnded: false }
    state = { ...state, run }
    // Listens from the first event, because another attempt may repeat spoken text.
    const listener = (await listeners()).listen(orgId, runId, 0, (page) => onPage(run, page))
    if (isFollowed(answers)) state = { ...state, run: { ...state.run!, listener } }
    else listener.close()
  }

  async function watch(sessionId: string): Promise<void> {
    if (state.session !== null || state.isClosed) return
    // A member can start a run too, in any process. The current run is followed to its end first.
    const listener = (await listeners()).watch(orgId, sessionId, (runId) => {
      if (!seenRuns.has(runId) && (state.run === null || state.run.isEnded)) void startTurn(runId)
    })
    state = { ...state, session: { id: sessionId, listener } }
    if (state.isClosed) listener.close()
  }

  async function startTurn(runId: string): Promise<void> {
    setTurn(afterStart(state.turn, now()))
    await follow(runId)
  }

  async function onPage(
    { runId, spokenSeq, answers }: FollowedRun,
    { events, isEnd }: EventPage,
  ): Promise<void> {
    if (!isFollowed(answers)) return
    for (const { seq, type, data } of events) {
      if (state.isClosed) return
      const event = { type, data } as RunEvent
      if (seq <= spokenSeq) {
        if (event.type === 'text') answers.recall(event.data)
        continue
      }
      const before = state.turn
      setTurn(afterEvent(before, event, now()))
      if (event.type === 'text') {
        answers.add(seq, event.data)
        setTurn(afterText(state.turn, answers.isWaiting(), now()))
      } else {
        await onEvent(answers, event, before)
        answers.pass(seq)
      }
    }
    save.schedule()
    if (!isEnd) return
    if (isFollowed(answers)) state = { ...state, run: { ...state.run!, isEnded: true } }
    setTurn({ ...state.turn, askedAt: null })
    if (state.session === null) return
    const nextRunId = await (await listeners()).next(orgId, state.session.id, runId)
    if (nextRunId !== null && state.run?.answers === answers) await startTurn(nextRunId)
  }

  /** Runs after the event has changed the turn. */
  async function onEvent(answers: Answers, event: RunEvent, before: Turn): Promise<void> {
    switch (event.type) {
      case 'step.started':
        onStep?.()
        return answers.begin(event.data)
      case 'step.finished':
        if (event.data.state === 'done') answers.end()
        else answers.drop()
        return voice.endAnswer()
      case 'tool.finished': {
        const command = event.data.state === 'done' ? commandOf(event.data.tool, event.data.output) : null
        return command ? onCommand(command) : undefined
      }
      case 'run.waiting':
        if (isForMember(event.data.for)) onMemberNeeded(event.data.for)
        else if (event.data.for === 'budget') sayFiller()
        return
      case 'run.finished':
        return onFinished(event.data, before)
    }
  }

  async function onFinished(
    { status, errorCode }: { status: string; errorCode: string | null },
    before: Turn,
  ): Promise<void> {
    voice.endAnswer()
    const { fruitless } = state.turn
    if (fruitless !== before.fruitless) await updateRelay(ctx.sql, orgId, call.id, { fruitless })
    if (status !== 'failed') return
    await onFailed(errorCode)
    if (errorCode !== 'access_lost') voice.say(sentences().again)
  }

  function sayFiller(): void {
    setTurn({ ...state.turn, isFilled: true })
    voice.say(sentences().moment, { preemptible: true })
  }

  return {
    async resume(position: Position | null): Promise<void> {
      if (call.sessionId === null) return
      await watch(call.sessionId)
      const runId = position?.runId ?? call.runId
      if (runId === null) return
      setTurn({ ...state.turn, askedAt: now() })
      await follow(runId, position ?? undefined)
    },
    /** The caller has spoken, so the rest of the last answer is dropped. */
    expectAnswer(): void {
      state.run?.answers.renew()
      voice.endAnswer()
      setTurn(afterQuestion(state.turn, now()))
    },
    async follow(sessionId: string, runId: string): Promise<void> {
      await watch(sessionId)
      await follow(runId)
    },
    interrupt(): Pick<Interruption, 'runId' | 'step'> | null {
      if (!state.run) return null
      const { runId, answers } = state.run
      const step = answers.step()
      answers.mute()
      save.schedule()
      return step === null ? null : { runId, step }
    },
    sayFiller,
    tick(): void {
      const due = textDue(state.turn, now())
      if (due === null || state.run === null) return
      const { answers } = state.run
      if (due === 'all') answers.takeStalled()
      else if (!voice.isSpeaking()) answers.takeWords()
      if (!answers.isWaiting()) setTurn({ ...state.turn, wordsSince: null })
    },
    turn: (): Turn => state.turn,
    async close(): Promise<void> {
      state = { ...state, isClosed: true }
      state.run?.listener?.close()
      state.session?.listener.close()
      await save.untilIdle()
    },
  }
}

function commandOf(tool: string, output: unknown): Command | null {
  const { say, language, digits } = (output ?? {}) as Record<string, unknown>
  if (tool === 'end_call') return { do: 'end', say: typeof say === 'string' ? say : undefined }
  if (tool === 'switch_language' && typeof language === 'string') return { do: 'language', language }
  if (tool === 'send_digits' && typeof digits === 'string') return { do: 'digits', digits }
  return tool === 'transfer_call' ? { do: 'transfer' } : null
}
