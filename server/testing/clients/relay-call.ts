import { once } from 'node:events'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { RelayState } from '../../features/telephony/calls/call.ts'
import { relayTwiml } from '../../features/telephony/relay/relay-twiml.ts'
import { newId } from '../../security/ids.ts'
import type { TestApp } from '../test-app.ts'
import { script } from './agent-runs.ts'
import { createCarrier, insertNumber, signCallback, type TestNumber } from './phone-app.ts'

export interface Frame {
  type: string
  token?: string
  last?: boolean
  preemptible?: boolean
  interruptible?: boolean
  handoffData?: string
  ttsLanguage?: string
  digits?: string
}

interface CallOptions {
  settings?: object
  action?: object
  agent?: object
}

export type TestCall = Awaited<ReturnType<typeof insertCall>>

/** An agent with a script model answers the number's calls. */
export async function insertCall(app: TestApp, { settings = {}, action = {}, agent = {} }: CallOptions = {}) {
  const { person } = await app.newUser({ role: 'owner', verified: true })
  const { id: projectId } = await app.project(person)
  const client = await app.withSession(person)
  const { id: agentId } = await client.agents.create({ name: 'Phone', model: 'test/script', ...agent })
  const number = await insertNumber(app, person, { projectId, settings })
  const call = { id: newId(), providerId: `CA${newId().replaceAll('-', '')}`, from: '+4915112345678' }
  await app.sql`
    insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id,
      owner_id, agent_id, action, status, started_at)
    values (${number.orgId}, ${call.id}, 'inbound', 'twilio', ${call.providerId}, ${number.id}, ${call.from},
      ${number.e164}, ${projectId}, ${person.id}, ${agentId},
      ${app.sql.json({ type: 'agent', agentId, ...action } as never)}, 'ringing', ${app.clock.now()})`
  return {
    ...call,
    client,
    person,
    number,
    projectId,
    agentId,
    row: async () =>
      (
        await app.sql<
          { status: string; endReason: string; sessionId: string; runId: string; relay: RelayState }[]
        >`select status, end_reason as "endReason", session_id as "sessionId", run_id as "runId", relay from calls
          where id = ${call.id}`
      )[0]!,
    timeline: async () =>
      (
        await app.sql<{ type: string; detail: string | null }[]>`
          select type, detail from call_entries where call_id = ${call.id} order by seq`
      ).map(({ type, detail }) => (detail === null ? type : `${type}: ${detail}`)),
    transcript: async () => {
      const [row] = await app.sql<{ sessionId: string }[]>`
        select session_id as "sessionId" from calls where id = ${call.id}`
      const { items } = await client.sessions.messages({ id: row!.sessionId })
      return items.toReversed()
    },
  }
}

export async function relayUrl(
  app: TestApp,
  { id, number }: Pick<TestCall, 'id' | 'number'>,
  greeting?: string,
) {
  const ctx = app.app.system()
  const settings = { language: 'en-US', voice: null }
  const document = await relayTwiml(
    { publicUrl: app.url },
    ctx,
    { orgId: number.orgId, id },
    { id: number.id, settings },
    { greeting: greeting ?? null },
  )
  return urlIn(document)
}

export const urlIn = (document: string) => / url="([^"]+)"/.exec(document)![1]!.replaceAll('&amp;', '&')

export const signUrl = ({ authToken }: Pick<TestNumber, 'authToken'>, url: string) =>
  signCallback(authToken, url, {})

interface RelayedCall extends Pick<TestCall, 'from' | 'providerId'> {
  number: Pick<TestNumber, 'authToken'>
}

export async function connectRelay(call: RelayedCall, url: string) {
  const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signUrl(call.number, url) } })
  const frames: Frame[] = []
  let closed: { code: number; reason: string } | null = null
  socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString())))
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
  })
  await once(socket, 'open')
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  return {
    socket,
    frames,
    send,
    closed: () => closed,
    setUp: () =>
      send({
        type: 'setup',
        sessionId: 'VX1',
        callSid: call.providerId,
        from: call.from,
        direction: 'inbound',
      }),
    ask: (...lines: string[]) => send({ type: 'prompt', voicePrompt: script(...lines), last: true }),
    prompt: (voicePrompt: string, lang = 'en-US') => send({ type: 'prompt', voicePrompt, lang, last: true }),
    /** Without pause fillers, which depend on machine speed. */
    spoken: () =>
      frames
        .filter(({ type, preemptible }) => type === 'text' && !preemptible)
        .map(({ token }) => token)
        .join(''),
    answers: () =>
      frames.filter(({ type, last, preemptible }) => type === 'text' && last && !preemptible).length,
    end: () => frames.find(({ type }) => type === 'end'),
  }
}

export type Relay = Awaited<ReturnType<typeof connectRelay>>

export async function answerCall(app: TestApp, options?: CallOptions) {
  const call = await insertCall(app, options)
  const relay = await connectRelay(call, await relayUrl(app, call))
  relay.setUp()
  await eventually(() => call.timeline()).toEqual(['relay.connected'])
  return { call, relay }
}

export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })
export const waitForSpeech = (relay: Relay, text: string) => eventually(relay.spoken).toContain(text)

/** The carrier reports a lost connection this way, to any server process. */
export const endRelay = (app: TestApp, call: TestCall, fields: Record<string, string> = {}) =>
  createCarrier(app, call.number).send({
    route: 'relay-ended',
    query: `?number=${call.number.id}&call=${call.id}`,
    fields: { CallSid: call.providerId, CallStatus: 'in-progress', SessionStatus: 'failed', ...fields },
  })

export async function reconnect(app: TestApp, call: TestCall): Promise<Relay> {
  const { text } = await endRelay(app, call)
  const relay = await connectRelay(call, urlIn(text))
  relay.setUp()
  return relay
}
