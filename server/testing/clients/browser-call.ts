import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { wav } from '../factories/recordings.ts'
import { type AudioServer, answer } from '../fakes/audio-server.ts'
import { bearer, type TestApp } from '../test-app.ts'
import { script } from './agent-runs.ts'
import { createChatClient } from './chat-client.ts'

const SPEECH = 'audio/mpeg'

interface Frame {
  type: string
  text?: string
  clip?: number
  audio?: boolean
  state?: string
  reason?: string
  code?: string
  message?: string
  sessionId?: string
  for?: string
}

/** Hears what `says` was given, and speaks text as its bytes. */
export function createSpeechModels(audio: AudioServer) {
  let words: string[] = []
  audio.respond((response, { path, fields }) => {
    if (path.endsWith('/audio/speech'))
      return response.writeHead(200, { 'content-type': SPEECH }).end(String(fields.input))
    return answer(200, { text: words.shift() ?? '' })(response)
  })
  return {
    says: (...lines: string[]) => words.push(script(...lines)),
    saysWords: (text: string) => words.push(text),
    reset: () => {
      words = []
    },
  }
}

export type BrowserCaller = Awaited<ReturnType<typeof createBrowserCaller>>

/** A member whose organization has models that transcribe and speak. */
export async function createBrowserCaller(app: TestApp, audio: Pick<AudioServer, 'url'>, agent: object = {}) {
  const chat = await createChatClient(app)
  const adminUser = await app.person(chat.org, { role: 'admin' })
  const admin = await app.withSession(adminUser)
  await admin.modelProviders.create({ kind: 'openai-compatible', name: 'Speaker', url: audio.url })
  await admin.orgSettings.update({ voice: { transcription: 'speaker/whisper-1', speech: 'speaker/tts-1' } })
  const { id: agentId } = await admin.agents.create({ name: 'Planner', model: 'test/script', ...agent })
  const start = () => chat.client.browserCalls.create({ agentId, projectId: chat.project.id })
  return {
    ...chat,
    admin,
    agentId,
    start,
    headers: bearer(await app.key(chat.person)),
    async call() {
      const started = await start()
      return { id: started.call.id, phone: await connectBrowser(app, started) }
    },
    get: (id: string) => chat.client.calls.get({ id }),
    timeline: async (id: string) =>
      (await chat.client.calls.get({ id })).timeline.map(({ type, detail }) =>
        detail === null ? type : `${type}: ${detail}`,
      ),
    transcript: async (id: string) => {
      const { sessionId } = await chat.client.calls.get({ id })
      if (sessionId === null) return []
      return (await chat.client.sessions.messages({ id: sessionId })).items.toReversed()
    },
  }
}

type Started = OutputOf<Contract['browserCalls']['create']>

export const socketUrl = (app: Pick<TestApp, 'url'>, { socket }: Pick<Started, 'socket'>) =>
  `${app.url.replace('http', 'ws')}${socket.path}?token=${socket.token}`

/** Plays each clip at once, unless it holds them. */
export async function connectBrowser(app: Pick<TestApp, 'url'>, started: Pick<Started, 'socket'>) {
  const socket = new WebSocket(socketUrl(app, started))
  const frames: Frame[] = []
  const clips: string[] = []
  let isHolding = false
  let closed: { code: number; reason: string } | null = null
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      clips.push((data as Buffer).toString())
      return isHolding
        ? undefined
        : send({ type: 'played', clip: frames.findLast(({ type }) => type === 'clip')!.clip })
    }
    frames.push(JSON.parse((data as Buffer).toString()))
  })
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
  })
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  await once(socket, 'open')
  return {
    socket,
    frames,
    clips,
    send,
    hold: () => {
      isHolding = true
    },
    utter: (seconds = 1) => socket.send(wav(seconds)),
    spoken: () =>
      frames
        .filter(({ type }) => type === 'clip')
        .map(({ text }) => text)
        .join(' '),
    heard: () => frames.filter(({ type }) => type === 'heard').map(({ text }) => text),
    of: (type: string) => frames.filter((frame) => frame.type === type),
    state: () => frames.findLast(({ type }) => type === 'state')?.state,
    end: () => frames.find(({ type }) => type === 'end')?.reason,
    closed: () => closed,
  }
}
