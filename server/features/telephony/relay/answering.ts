import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { createCoalescedTask } from '../../../concurrency/coalesced-task.ts'
import type { PublicContext } from '../../../context.ts'
import type { EventPage, RunListener } from '../../agents/runs/runs.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { type Answers, createAnswers } from './answers.ts'
import { type Command, commandOf } from './commands.ts'
import type { Interruption } from './deliver.ts'
import { updatePosition, updateRelay } from './relay-queries.ts'
import type { Position, RelayState } from './relay-state.ts'
import type { Sentences } from './sentences.ts'
import type { SilenceState } from './silence.ts'
import type { Voice } from './voice.ts'

/** The complete words of a sentence are spoken if its end has not arrived after this time. */
const WORDS_AFTER_MS = 250
/** Incomplete text is spoken if no more text arrives for this time. */
const STALLED_AFTER_MS = 700
const PROGRESS = ['text', 'tool.called', 'tool.finished', 'run.resumed']

interface AnsweringOptions {
  options: Pick<TelephonyOptions, 'runChannel' | 'log'>
  ctx: PublicContext
  orgId: string
  call: CallRow
  connection: number
  voice: Voice
  sentences: () => Sentences
  onCommand: (command: Command) => Promise<void>
  /** A run failed. */
  onFailed: (code: string | null) => Promise<void> | undefined
}

/** Speaks the answers of the runs of a call, one run after the other. */
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
}: AnsweringOptions) {
  const now = () => ctx.now().getTime()
  const seenRuns = new Set<string>()
  let followedRun: (Position & { answers: Answers; listener: RunListener; isEnded: boolean }) | null = null
  let watchedSession: { sessionId: string; listener: RunListener } | null = null
  let isClosed = false
  // The turn: from the speech of the caller to the end of the run.
  let askedAt: number | null = null
  let isAnswered = false
  let isFilled = false
  let toolAt: number | null = null
  let progressAt = now()
  let wordsSince: number | null = null
  let textAt = now()
  let endedAt = now()
  let fruitless = (call.relay as RelayState).fruitless ?? 0
  let isShortOfBudget = false

  const save = createCoalescedTask(
    async () => {
      if (!followedRun) return
      const position = followedRun.answers.position()
      await updatePosition(ctx.sql, orgId, call.id, { connection, position })
    },
    (err) => options.log.warn({ err }, 'could not store the spoken position of a call'),
  )

  function speak(text: string): void {
    if (text === '') return
    isAnswered = true
    voice.speak(text)
    save.schedule()
  }

  const listeners = () => options.runChannel.listeners()

  async function follow(runId: string, position: Position = { runId, seq: 0, offset: 0 }): Promise<void> {
    if (followedRun?.runId === runId || isClosed) return
    followedRun?.listener.close()
    seenRuns.add(runId)
    const answers = createAnswers(position, speak)
    const run = { ...position, answers, listener: { close: () => {} } as RunListener, isEnded: false }
    followedRun = run
    // Listens from the first event: another attempt may repeat text that was already spoken.
    run.listener = (await listeners()).listen(orgId, runId, 0, (page) => onPage(run, page))
    if (isClosed) run.listener.close()
  }

  async function watch(sessionId: string): Promise<void> {
    if (watchedSession !== null || isClosed) return
    // A member can start a run too, in any process. The current run is followed to its end first.
    const listener = (await listeners()).watch(orgId, sessionId, (runId) => {
      if (!seenRuns.has(runId) && (followedRun === null || followedRun.isEnded)) void startTurn(runId)
    })
    watchedSession = { sessionId, listener }
    if (isClosed) listener.close()
  }

  async function startTurn(runId: string): Promise<void> {
    askedAt ??= now()
    await follow(runId)
  }

  async function onPage(run: NonNullable<typeof followedRun>, { events, isEnd }: EventPage): Promise<void> {
    if (run !== followedRun || isClosed) return
    for (const { seq, type, data } of events) {
      if (isClosed) return
      const event = { type, data } as RunEvent
      if (seq <= run.seq) {
        if (event.type === 'text') run.answers.recall(event.data)
        continue
      }
      if (PROGRESS.includes(type)) progressAt = now()
      if (event.type === 'text') onText(run.answers, seq, event.data)
      else {
        await onEvent(run.answers, event)
        run.answers.pass(seq)
      }
    }
    save.schedule()
    if (!isEnd) return
    run.isEnded = true
    askedAt = null
    if (watchedSession === null) return
    const nextRunId = await (await listeners()).next(orgId, watchedSession.sessionId, run.runId)
    if (nextRunId !== null && run === followedRun) await startTurn(nextRunId)
  }

  function onText(answers: Answers, seq: number, data: { n: number; attempt: number; text: string }): void {
    answers.add(seq, data)
    textAt = now()
    wordsSince = answers.isWaiting() ? (wordsSince ?? now()) : null
  }

  async function onEvent(answers: Answers, event: RunEvent): Promise<void> {
    switch (event.type) {
      case 'step.started':
        return answers.begin(event.data)
      case 'step.finished':
        if (event.data.state === 'done') answers.end()
        else answers.drop()
        wordsSince = null
        return voice.endAnswer()
      case 'tool.started':
        toolAt = now()
        return
      case 'tool.finished': {
        toolAt = null
        const command = event.data.state === 'done' ? commandOf(event.data.tool, event.data.output) : null
        return command ? onCommand(command) : undefined
      }
      case 'run.waiting':
        return onWaiting(event.data.for)
      case 'run.resumed':
        isShortOfBudget = false
        return
      case 'run.finished':
        return onFinished(event.data)
    }
  }

  /** Informs the caller that a member has to decide or answer: the caller never does. */
  function onWaiting(reason: string): void {
    isShortOfBudget = reason === 'budget'
    if (reason === 'approval' || reason === 'input' || reason === 'connection') {
      isAnswered = true
      isFilled = true
      voice.say(sentences().colleague)
    } else if (reason === 'budget') sayFiller()
  }

  async function onFinished({
    status,
    errorCode,
  }: {
    status: string
    errorCode: string | null
  }): Promise<void> {
    voice.endAnswer()
    const fruitlessBefore = fruitless
    fruitless = isAnswered && status !== 'failed' ? 0 : fruitless + 1
    if (fruitless !== fruitlessBefore) await updateRelay(ctx.sql, orgId, call.id, { fruitless })
    askedAt = null
    toolAt = null
    endedAt = now()
    if (status !== 'failed') return
    await onFailed(errorCode)
    if (errorCode !== 'access_lost') voice.say(sentences().again)
  }

  function sayFiller(): void {
    isFilled = true
    voice.say(sentences().moment, { preemptible: true })
  }

  return {
    /** Continues at the position of an earlier connection of the call. */
    async resume(position: Position | null): Promise<void> {
      if (call.sessionId === null) return
      await watch(call.sessionId)
      const runId = position?.runId ?? call.runId
      if (runId === null) return
      askedAt = now()
      await follow(runId, position ?? undefined)
    },
    /** The caller has spoken, so the rest of the last answer is not spoken. */
    expectAnswer(): void {
      followedRun?.answers.renew()
      voice.endAnswer()
      askedAt = now()
      progressAt = now()
      isAnswered = false
      isFilled = false
    },
    async follow(sessionId: string, runId: string): Promise<void> {
      await watch(sessionId)
      await follow(runId)
    },
    /** Stops the current answer and returns it; null if there is none. */
    interrupt(): Pick<Interruption, 'runId' | 'step'> | null {
      if (!followedRun) return null
      const step = followedRun.answers.step()
      followedRun.answers.mute()
      save.schedule()
      return step === null ? null : { runId: followedRun.runId, step }
    },
    sayFiller,
    tick(): void {
      if (wordsSince === null || followedRun === null || now() - wordsSince < WORDS_AFTER_MS) return
      const { answers } = followedRun
      if (now() - textAt >= STALLED_AFTER_MS) answers.takeStalled()
      else if (!voice.isSpeaking()) answers.takeWords()
      if (!answers.isWaiting()) wordsSince = null
    },
    waiting: (): Pick<
      SilenceState,
      'askedAt' | 'isAnswered' | 'isFilled' | 'toolAt' | 'progressAt' | 'fruitless'
    > => ({ askedAt, isAnswered, isFilled, toolAt, progressAt, fruitless }),
    endedAt: () => endedAt,
    isShortOfBudget: () => isShortOfBudget,
    async close(): Promise<void> {
      isClosed = true
      followedRun?.listener.close()
      watchedSession?.listener.close()
      await save.untilIdle()
    },
  }
}
