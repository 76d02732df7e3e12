import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import { CLOSE, type SocketConnection, type SocketHandler } from '../../../endpoint/socket-route.ts'
import type { CallRow, Ending } from '../calls/call.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallbackNumber } from '../numbers/called-number.ts'
import { type Command, createAnswering } from './answering.ts'
import {
  deliver,
  type Interruption,
  type Message,
  messageOfCaller,
  messageOfMember,
  storeInterrupted,
} from './deliver.ts'
import { type IncomingFrame, type OutgoingFrame, parseFrame } from './relay-frames.ts'
import { updateRelay } from './relay-queries.ts'
import { sentencesIn } from './sentences.ts'
import { addTimelineEntry, recordConnection, recordEnding } from './timeline.ts'
import { reactionTo } from './turn.ts'
import { createVoice } from './voice.ts'

const LAST_WORDS_MS_MAX = 20_000
const CLOSE_AFTER_MS = 10_000
const ACCESS_OBSTACLES = ['owner_left', 'access_lost', 'project_deleted']

export interface ConversationOptions {
  options: TelephonyOptions
  ctx: PublicContext
  number: CallbackNumber
  call: CallRow
  connection: number
  socket: SocketConnection
}

export function createConversation({
  options,
  ctx,
  number,
  call: row,
  connection,
  socket,
}: ConversationOptions) {
  const { orgId } = number
  const { relay } = row
  const now = () => ctx.now().getTime()
  const send = (frame: OutgoingFrame) => socket.send(JSON.stringify(frame))
  const voice = createVoice(send, now)
  const digits = createDigits(now)
  const call = { ...row, orgId }
  const answeredAt = row.answeredAt === null ? now() : Date.parse(row.answeredAt)
  const endsAt = answeredAt + number.settings.maxMinutes * 60_000
  let language = relay.language ?? number.settings.language
  let isSetUp = false
  let interruption: Interruption | null = null
  let heardAt = now()
  let silences = 0
  let end: { at: number; handoff: object; isSent: boolean } | null = null

  const addEntry = (type: string, detail: string) =>
    addTimelineEntry(ctx.sql, orgId, row.id, { type, detail, at: ctx.now() })
  const sentences = () => sentencesIn(language)
  const answering = createAnswering({
    options,
    ctx,
    orgId,
    call: row,
    connection,
    voice,
    sentences,
    onCommand: carryOut,
    onFailed: (code) => (code === 'access_lost' ? finish('access_lost', sentences().sorry) : undefined),
  })

  async function onText(text: string): Promise<void> {
    const parsed = parseFrame(text)
    if (parsed.kind === 'unknown') return
    if (parsed.kind === 'malformed') return socket.close(CLOSE.malformed, `malformed: ${parsed.reason}`)
    const { frame } = parsed
    if (frame.type === 'setup') return setUp(frame.callSid)
    if (!isSetUp) return socket.close(CLOSE.policy, 'the first message must be setup')
    if (end === null) await onFrame(frame)
  }

  async function setUp(callSid: string): Promise<void> {
    if (isSetUp || callSid !== row.providerId) return socket.close(CLOSE.policy, 'this is another call')
    isSetUp = true
    await recordConnection(ctx.sql, orgId, row.id, connection, ctx.now())
    if (connection === 1) voice.countSpoken(row.action.message ?? number.settings.greeting ?? '')
    if (relay.ending) return beginEnd(relay.ending)
    await answering.resume(relay.position ?? null)
    const { task } = row.action
    if (task && row.createdBy && call.sessionId === null)
      await deliverMessage(
        messageOfMember(
          call,
          `You have called ${row.to}, who has answered. Your task:\n\n${task}`,
          row.createdBy,
        ),
      )
  }

  async function onFrame(frame: Exclude<IncomingFrame, { type: 'setup' }>): Promise<void> {
    if (frame.type === 'error') return addEntry('relay.error', frame.description)
    heardAt = now()
    silences = 0
    if (frame.type === 'interrupt') return interrupt(frame.utteranceUntilInterrupt)
    if (frame.type === 'dtmf') {
      const keys = digits.add(frame.digit)
      if (keys !== null) await deliverMessage(messageOfCaller(call, 'pressed these keys', keys))
    } else if (frame.last && frame.voicePrompt.trim() !== '') {
      const isNewLanguage = await followLanguage(frame.lang)
      const verb = isNewLanguage ? `says, from now on in the language ${language}` : 'says'
      await deliverMessage(messageOfCaller(call, verb, frame.voicePrompt.trim()))
    }
  }

  /** Removes unheard text from the session. */
  async function interrupt(heard: string): Promise<void> {
    voice.stop()
    const answer = answering.interrupt()
    await addEntry('interrupted', heard)
    if (answer === null) return
    interruption = { ...answer, heard: heard.trim() }
    await storeInterrupted(ctx.sql, orgId, interruption)
  }

  async function deliverMessage(message: Message): Promise<void> {
    answering.expectAnswer()
    const choices = await options.models.choices(call.orgId)
    const delivered = await deliver(choices, ctx, call, message, { connection, interruption })
    if (delivered.kind === 'gone') return socket.close(CLOSE.policy, 'another connection took over this call')
    if (delivered.kind === 'obstacle')
      return finish(
        ACCESS_OBSTACLES.includes(delivered.obstacle) ? 'access_lost' : 'agent_failed',
        sentences().sorry,
      )
    interruption = null
    call.sessionId = delivered.sessionId
    await answering.follow(delivered.sessionId, delivered.runId)
  }

  async function followLanguage(spoken = language): Promise<boolean> {
    if (!/^[a-z]{2,3}(-[A-Z]{2})?$/.test(spoken) || primaryTag(spoken) === primaryTag(language)) return false
    await switchTo(spoken)
    return true
  }

  async function switchTo(next: string): Promise<void> {
    language = next
    send({ type: 'language', ttsLanguage: next, transcriptionLanguage: next })
    await updateRelay(ctx.sql, orgId, row.id, { language: next })
    await addEntry('language', next)
  }

  /** Runs after the tool call is stored. */
  async function carryOut(command: Command): Promise<void> {
    if (end !== null) return
    if (command.do === 'end') await beginEnd({ reason: 'agent_ended', say: command.say ?? null })
    else if (command.do === 'language') await switchTo(command.language)
    else if (command.do === 'digits') send({ type: 'sendDigits', digits: command.digits })
    else endAfterWords(null, { transfer: true })
  }

  async function finish(reason: CallEnd, words: string): Promise<void> {
    if (end !== null) return
    await beginEnd({ reason, say: words })
  }

  async function beginEnd(ending: Ending): Promise<void> {
    endAfterWords(ending.say ?? null, { reason: ending.reason })
    await recordEnding(ctx.sql, orgId, row.id, ending, ctx.now())
  }

  function endAfterWords(words: string | null, handoff: object): void {
    void answering.close()
    voice.endAnswer()
    if (words !== null) voice.say(words, { interruptible: false })
    end = { at: Math.min(voice.until(), now() + LAST_WORDS_MS_MAX), handoff, isSent: false }
  }

  /** Checks time limits and silences several times a second. */
  async function tick(): Promise<void> {
    if (!isSetUp || !socket.isOpen()) return
    if (end !== null) return endNow(end)
    answering.tick()
    const keys = digits.take()
    if (keys !== null) return deliverMessage(messageOfCaller(call, 'pressed these keys', keys))
    const turn = answering.turn()
    const silentSince = Math.max(heardAt, voice.until(), turn.endedAt)
    const reaction = reactionTo({ now: now(), endsAt, silentSince, silences, ...turn })
    if (reaction === 'time_limit') return finish('time_limit', sentences().timeLimit)
    if (reaction === 'no_progress')
      return finish(turn.isShortOfBudget ? 'budget' : reaction, sentences().sorry)
    if (reaction === 'no_input') return finish('no_input', sentences().goodbye)
    if (reaction === 'fill') answering.sayFiller()
    if (reaction !== 'ask') return
    silences += 1
    voice.say(sentences().stillThere)
  }

  function endNow(ending: NonNullable<typeof end>): void {
    if (now() < ending.at) return
    if (ending.isSent) {
      if (now() >= ending.at + CLOSE_AFTER_MS) socket.close(CLOSE.normal, 'the conversation has ended')
      return
    }
    ending.isSent = true
    send({ type: 'end', handoffData: JSON.stringify(ending.handoff) })
  }

  const handler: SocketHandler = {
    onText,
    async onClose(code) {
      await answering.close()
      if (isSetUp) await addEntry('relay.disconnected', String(code))
    },
  }
  return { ...handler, tick }
}

const primaryTag = (language: string) => language.split('-')[0]!

const PAUSE_MS = 2000
const LENGTH_MAX = 64

/** Until `#` or a pause. */
function createDigits(now: () => number) {
  let keys = ''
  let lastAt = 0
  const take = () => {
    const taken = keys
    keys = ''
    return taken
  }
  return {
    add(key: string): string | null {
      keys += key
      lastAt = now()
      return key === '#' || keys.length >= LENGTH_MAX ? take() : null
    },
    take: (): string | null => (keys !== '' && now() - lastAt >= PAUSE_MS ? take() : null),
  }
}
