import {
  BROWSER_CALL_LIMITS,
  type BrowserCallState,
  type CallEnd,
  RECONNECT_CLOSE_CODE,
} from '../../../../contract/telephony/telephony-options.ts'
import { type Caller, type Context, createContext, type PublicContext } from '../../../context.ts'
import { CLOSE, type SocketConnection, type SocketHandler } from '../../../endpoint/socket-route.ts'
import { ApiError } from '../../../errors.ts'
import { isCredentialValid } from '../../accounts/accounts/accounts.ts'
import { resolveActingMember } from '../../agents/outside-messages/outside-messages.ts'
import { hearUtterance, speakPieces } from '../../agents/voice/voice.ts'
import type { CallRow } from '../calls/call.ts'
import { publishCall } from '../calls/record.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { type Command, createAnswering } from '../relay/answering.ts'
import {
  actingCaller,
  deliver,
  type Interruption,
  messageOfSpeaker,
  storeInterrupted,
} from '../relay/deliver.ts'
import { updateRelay } from '../relay/relay-queries.ts'
import { sentencesIn } from '../relay/sentences.ts'
import { addTimelineEntry, recordConnection, recordEnding } from '../relay/timeline.ts'
import { reactionTo } from '../relay/turn.ts'
import { endBrowserCall } from './end-call.ts'
import { type IncomingFrame, type OutgoingFrame, parseFrame } from './frames.ts'
import { createPlayback } from './playback.ts'
import { addCost, findStanding, postponeEnd } from './queries.ts'
import { CONNECT_MS } from './start-call.ts'

const LAST_WORDS_MS_MAX = 20_000
/** The call of a member who was removed or signed out ends after this time, and does nothing before. */
const CHECK_MS = 1000
/** A killed process's calls end after this time. */
const LEASE_MS = 90_000
const RENEW_MS = 30_000
/** A model that doesn't answer is given up. */
const TRANSCRIBE_MS_MAX = 25_000
const SPEAK_MS_MAX = 25_000
const CLIP_BYTES_MAX = 4_194_304
/** Consecutive ones. */
const VOICE_FAILURES_MAX = 3
const UTTERANCE_MS_MAX = (BROWSER_CALL_LIMITS.utteranceSeconds + 15) * 1000
/** The browser hung up or was closed. */
const LEAVING_CODES: readonly number[] = [1000, 1001, 1005]
/** The connection broke, or this server did: the browser connects again. */
const RECONNECTING_CODES: readonly number[] = [1006, CLOSE.failure, CLOSE.restart, RECONNECT_CLOSE_CODE]

export interface BrowserConversationOptions {
  options: Pick<TelephonyOptions, 'models' | 'runChannel' | 'log'>
  ctx: PublicContext
  orgId: string
  call: CallRow
  connection: number
  socket: SocketConnection
}

/** What `conversation.ts` of `relay` is for a phone call, with recordings in and audio out. */
export function createBrowserConversation({
  options,
  ctx,
  orgId,
  call: row,
  connection,
  socket,
}: BrowserConversationOptions): SocketHandler & { tick: () => Promise<void> } {
  const now = () => ctx.now().getTime()
  const send = (frame: OutgoingFrame | Uint8Array) =>
    socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame))
  const call = { ...row, orgId }
  const memberId = row.createdBy!
  const place = { projectId: row.projectId, agentId: row.agentId }
  const endsAt =
    (row.answeredAt === null ? now() : Date.parse(row.answeredAt)) + BROWSER_CALL_LIMITS.minutes * 60_000
  const closing = new AbortController()
  const utterances = createUtteranceLimit(now)
  let language = row.relay.language ?? 'en-US'
  let isLanguageChosen = false
  let state: BrowserCallState | null = null
  let interruption: Interruption | null = null
  let hearing: Promise<void> = Promise.resolve()
  let hearingCount = 0
  let talkingSince: number | null = null
  let mutedSince: number | null = null
  let heardAt = now()
  let silences = 0
  let voiceFailures = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  let renewedAt = performance.now()
  let isReplaced = false
  let isWaiting = false
  let end: { reason: CallEnd; at: number } | null = null

  const addEntry = (type: string, detail: string) =>
    addTimelineEntry(ctx.sql, orgId, row.id, { type, detail, at: ctx.now() })
  const sentences = () => sentencesIn(language)
  const onCharged: Parameters<typeof speakPieces>[3]['onCharged'] = async (sql, amount) =>
    amount === null ? undefined : addCost(sql, orgId, row.id, amount)
  const logFailure = (err: unknown) => options.log.error({ err }, 'a call in the browser failed')
  const playback = createPlayback({
    ...{ now, send, synthesize },
    onSpeaking: showState,
    onFailed: logFailure,
  })
  const answering = createAnswering({
    options,
    ctx,
    orgId,
    call: row,
    connection,
    // Words without their sentence's end would sound odd, and cost a request each.
    voice: { ...playback, isSpeaking: () => true },
    sentences,
    onCommand: carryOut,
    onFailed: (code) => (code === 'access_lost' ? endNow('access_lost') : undefined),
    onMemberNeeded(reason) {
      isWaiting = true
      send({ type: 'waiting', for: reason })
      playback.say(sentences().decide)
    },
    onStep() {
      if (isWaiting) send({ type: 'waiting', for: null })
      isWaiting = false
    },
  })

  /** Before the first message is handled. */
  async function start(): Promise<void> {
    await recordConnection(ctx.sql, orgId, row.id, connection, ctx.now())
    if (connection === 1) await publishCall(ctx.sql, orgId, ctx.now(), 'call.updated', row, 'in_progress')
    await renewLease()
    send({ type: 'ready', callId: row.id, endsAt: new Date(endsAt).toISOString() })
    if (row.sessionId !== null) send({ type: 'session', sessionId: row.sessionId })
    showState()
    if (row.relay.ending) return beginEnd(row.relay.ending.reason, row.relay.ending.say ?? null)
    await answering.resume(row.relay.position ?? null)
  }
  const started = start()
  started.catch((err) => {
    logFailure(err)
    socket.close(CLOSE.failure, 'internal error')
  })

  async function onText(text: string): Promise<void> {
    await started
    const parsed = parseFrame(text)
    if (parsed.kind === 'malformed') return socket.close(CLOSE.malformed, 'malformed message')
    if (parsed.kind === 'frame') await onFrame(parsed.frame)
  }

  async function onFrame(frame: IncomingFrame): Promise<void> {
    if (frame.type === 'ping') return send({ type: 'pong' })
    if (frame.type === 'hangup') return endNow('caller_hung_up')
    if (frame.type === 'played') return playback.played(frame.clip)
    if (end !== null) return
    if (frame.type === 'mute') mutedSince = frame.muted ? now() : null
    else if (frame.type === 'noise') talkingSince = null
    else {
      talkingSince = now()
      await interrupt(frame.clip, frame.part)
    }
    attend()
  }

  /** The member did something. */
  function attend(): void {
    heardAt = now()
    silences = 0
  }

  /** Removes unheard text from the session. */
  async function interrupt(clip: number | null, part: number): Promise<void> {
    const heard = playback.interrupt(clip, part)
    send({ type: 'stop', clip: playback.lastClip() })
    if (heard === null) return
    const answer = answering.interrupt()
    await addEntry('interrupted', heard)
    if (answer === null) return
    interruption = { ...answer, heard }
    await storeInterrupted(ctx.sql, orgId, interruption)
  }

  /** Doesn't wait for the transcription: the member may speak or hang up meanwhile. */
  async function onBytes(bytes: Buffer): Promise<void> {
    await started
    talkingSince = null
    if (end !== null) return
    attend()
    if (hearingCount >= BROWSER_CALL_LIMITS.utterancesWaiting || !utterances.take())
      return send({ type: 'problem', code: 'too_fast', message: 'Too many recordings: wait a moment' })
    hearingCount += 1
    showState()
    hearing = hearing
      .then(() => hear(bytes))
      .catch(logFailure)
      .finally(() => {
        hearingCount -= 1
        attend()
        showState()
      })
  }

  async function hear(bytes: Buffer): Promise<void> {
    if (end !== null || closing.signal.aborted) return
    const acting = await actAsMember()
    if (acting === null) return
    const transcript = await inBounds('transcription', () =>
      hearUtterance(
        options,
        acting,
        { bytes, secondsMax: BROWSER_CALL_LIMITS.utteranceSeconds },
        { ...place, language: spokenLanguage(), signal: within(TRANSCRIBE_MS_MAX), onCharged },
      ),
    )
    if (end !== null || closing.signal.aborted || transcript === undefined) return
    if (transcript === null) {
      const message = `A recording is WebM, Ogg, MP4, WAV or MP3 with at most ${BROWSER_CALL_LIMITS.utteranceSeconds} seconds`
      return send({ type: 'problem', code: 'bad_recording', message })
    }
    send({ type: 'heard', text: transcript.text })
    if (transcript.text === '') return
    followLanguage(transcript.language)
    // What the agent said while the member spoke was not heard either.
    await interrupt(null, 0)
    await deliverWords(transcript.text)
  }

  async function deliverWords(words: string): Promise<void> {
    answering.expectAnswer()
    const choices = await options.models.choices(orgId)
    const message = messageOfSpeaker(call, words, memberId)
    const delivered = await deliver(choices, ctx, call, message, { connection, interruption }).catch(refused)
    if (delivered.kind === 'gone') return check()
    if (delivered.kind === 'refused') return finish('agent_failed', sentences().sorry)
    if (delivered.kind === 'obstacle')
      return delivered.obstacle === 'no_agent'
        ? finish('agent_failed', sentences().sorry)
        : endNow('access_lost')
    interruption = null
    if (call.sessionId === null) send({ type: 'session', sessionId: delivered.sessionId })
    call.sessionId = delivered.sessionId
    await answering.follow(delivered.sessionId, delivered.runId)
  }

  /** MP3; null if it failed. */
  async function synthesize(text: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const acting = await actAsMember()
    if (acting === null) return null
    const both = AbortSignal.any([signal, within(SPEAK_MS_MAX)])
    const audio = await inBounds('speech', async () => {
      const chunks = await speakPieces(options, acting, [text.trim()], { ...place, signal: both, onCharged })
      return readAll(chunks, both)
    })
    return audio ?? null
  }

  /** Undefined after a failure, which is reported and may end the call. */
  async function inBounds<T>(
    code: 'transcription' | 'speech',
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const value = await work()
      voiceFailures = 0
      return value
    } catch (error) {
      if (closing.signal.aborted || (error as Error).name === 'AbortError') return
      if (isDropped(error)) return
      const known = error instanceof ApiError ? error : null
      if (!known) logFailure(error)
      const message = known?.message ?? 'The audio broke off'
      voiceFailures += 1
      const { reason } = (known?.details ?? {}) as { reason?: string }
      send({ type: 'problem', code, message })
      if (reason === 'budget_reached') await endNow('budget')
      // The organization no longer allows the model.
      else if (known?.code === 'FORBIDDEN') await endNow('voice_failed')
      else if (voiceFailures >= VOICE_FAILURES_MAX) await endNow('voice_failed')
    }
  }

  /** With the member's present role. Null if they lost access, which ends the call. */
  async function actAsMember(): Promise<Context | null> {
    const ref = { userId: memberId, projectId: row.projectId, credentialId: row.id }
    const { caller } = await resolveActingMember(ctx.sql, orgId, ref)
    if (caller !== null && (await isStillValid(caller)))
      return createContext({ ...ctx, caller: actingCaller(row, caller) })
    await endNow('access_lost')
    return null
  }

  /** Of the key or the sign-in that started or reconnected the call. */
  async function isStillValid(caller: Caller): Promise<boolean> {
    const { signInId } = row.relay
    if (row.keyId !== null)
      return isCredentialValid(ctx.sql, { ...caller, via: 'key', credentialId: row.keyId }, ctx.now())
    // Calls from before this was stored have none.
    if (signInId === undefined) return true
    return isCredentialValid(ctx.sql, { ...caller, via: 'session', credentialId: signInId }, ctx.now())
  }

  async function check(): Promise<void> {
    const standing = await findStanding(ctx.sql, orgId, row.id)
    if (standing === null || standing.hasEnded) {
      send({ type: 'end', reason: standing?.endReason ?? 'member_ended' })
      return close('the call has ended')
    }
    if (standing.connection !== connection) {
      isReplaced = true
      return socket.close(CLOSE.policy, 'another connection took over this call')
    }
    await actAsMember()
  }

  const renewLease = () => {
    renewedAt = performance.now()
    return postponeEnd(ctx.sql, orgId, row.id, { connection, until: new Date(now() + LEASE_MS) })
  }

  async function carryOut(command: Command): Promise<void> {
    if (command.do === 'language') {
      language = command.language
      isLanguageChosen = true
      await updateRelay(ctx.sql, orgId, row.id, { language })
    } else if (command.do === 'end') beginEnd('agent_ended', command.say ?? null)
  }

  /** What the model heard decides about Atrium's own sentences. */
  function followLanguage(heard: string | null): void {
    if (heard && /^[a-z]{2}$/.test(heard) && !language.startsWith(heard)) language = heard
  }

  const spokenLanguage = () => (isLanguageChosen ? language.split('-')[0] : undefined)

  async function finish(reason: CallEnd, words: string): Promise<void> {
    if (end !== null) return
    beginEnd(reason, words)
    await recordEnding(ctx.sql, orgId, row.id, { reason, say: words }, ctx.now())
  }

  function beginEnd(reason: CallEnd, words: string | null): void {
    if (end !== null) return
    void answering.close()
    if (words !== null) playback.say(words)
    end = { reason, at: now() + LAST_WORDS_MS_MAX }
  }

  /** Without last words. */
  async function endNow(reason: CallEnd): Promise<void> {
    end ??= { reason, at: now() }
    closing.abort()
    playback.close()
    await endBrowserCall(ctx, orgId, row.id, { reason: end.reason, connection })
    if (!socket.isOpen()) return
    send({ type: 'end', reason: end.reason })
    close('the call has ended')
  }

  const close = (reason: string) => socket.close(CLOSE.normal, reason)

  /** Checks access, time limits and silences several times a second. */
  async function tick(): Promise<void> {
    await started
    if (!socket.isOpen()) return
    if (performance.now() - checkedAt >= CHECK_MS) {
      await check()
      checkedAt = performance.now()
      if (!socket.isOpen()) return
    }
    if (performance.now() - renewedAt >= RENEW_MS) await renewLease()
    playback.tick()
    showState()
    if (end !== null) {
      if (now() >= end.at || !playback.isSpeaking()) await endNow(end.reason)
      return
    }
    answering.tick()
    await react()
  }

  async function react(): Promise<void> {
    if (talkingSince !== null && now() - talkingSince > UTTERANCE_MS_MAX) talkingSince = null
    if (talkingSince !== null || hearingCount > 0) return
    const turn = answering.turn()
    const quietSince = mutedSince ?? heardAt
    const silentSince = Math.max(quietSince, playback.until(), turn.endedAt)
    const isAttending = mutedSince !== null && turn.askedAt === null
    if (isAttending && now() < endsAt) {
      if (now() - quietSince >= BROWSER_CALL_LIMITS.mutedMinutes * 60_000)
        await finish('no_input', sentences().goodbye)
      return
    }
    const reaction = reactionTo({ now: now(), endsAt, silentSince, silences, ...turn })
    if (reaction === 'time_limit') return finish('time_limit', sentences().timeLimit)
    if (reaction === 'no_progress')
      return finish(turn.isShortOfBudget ? 'budget' : reaction, sentences().sorry)
    if (reaction === 'no_input') return finish('no_input', sentences().goodbye)
    if (reaction === 'fill') answering.sayFiller()
    if (reaction !== 'ask') return
    silences += 1
    playback.say(sentences().stillThere)
  }

  function showState(): void {
    const isThinking = hearingCount > 0 || answering.turn().askedAt !== null
    const next = playback.isSpeaking() ? 'speaking' : isThinking && end === null ? 'thinking' : 'listening'
    if (next === state) return
    state = next
    send({ type: 'state', state: next })
  }

  const within = (ms: number) => AbortSignal.any([closing.signal, AbortSignal.timeout(ms)])

  return {
    onText,
    onBytes,
    tick,
    async onClose(code) {
      await started.catch(() => {})
      closing.abort()
      playback.close()
      await answering.close()
      await hearing
      if (isReplaced) return
      await addEntry('relay.disconnected', String(code))
      if (end === null && RECONNECTING_CODES.includes(code))
        await postponeEnd(ctx.sql, orgId, row.id, { connection, until: new Date(now() + CONNECT_MS) })
      else {
        const reason = LEAVING_CODES.includes(code) ? 'caller_hung_up' : 'connection_lost'
        await endBrowserCall(ctx, orgId, row.id, { reason: end?.reason ?? reason, connection })
      }
    },
  }
}

/** The agent can't start, for example without a model. */
function refused(error: unknown): { kind: 'refused' } {
  if (error instanceof ApiError) return { kind: 'refused' }
  throw error
}

/** The member interrupted. */
const isDropped = (error: unknown): boolean =>
  error instanceof ApiError && (error.details as { reason?: string } | undefined)?.reason === 'canceled'

async function readAll(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    size += chunk.length
    if (size > CLIP_BYTES_MAX) throw new Error('a clip has too many bytes')
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

/** A token bucket. */
function createUtteranceLimit(now: () => number) {
  const perMs = BROWSER_CALL_LIMITS.utterancesPerMinute / 60_000
  let tokens: number = BROWSER_CALL_LIMITS.utterancesPerMinute
  let at = now()
  return {
    take(): boolean {
      tokens = Math.min(BROWSER_CALL_LIMITS.utterancesPerMinute, tokens + (now() - at) * perMs)
      at = now()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
