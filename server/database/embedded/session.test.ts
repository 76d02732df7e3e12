import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from './session.ts'
import { socketPath } from './socket-folder.ts'

test('a server that closes the connection before the session is open counts as absent', async () => {
  const host = await mkdtemp(join(tmpdir(), 'atrium-session-'))
  const server = createServer((socket) => socket.once('data', () => socket.destroy())).listen(
    socketPath(host),
  )
  onTestFinished(async () => {
    server.close()
    await rm(host, { recursive: true, force: true })
  })
  await once(server, 'listening')
  const connection = { host, port: 5432, user: 'atrium', password: 'x', database: 'atrium' }
  await expect(openSession(connection)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
})
