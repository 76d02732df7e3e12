import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

export interface DeliveredMail {
  to: string
  raw: Buffer
}

/** A real SMTP server. `onMail` may wait, or throw to refuse a mail. */
export async function startMailServer(onMail: (mail: DeliveredMail) => Promise<void> | void) {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    async onData(stream, session, done) {
      const raw = Buffer.concat(await stream.toArray())
      const to = session.envelope.rcptTo[0]!.address
      try {
        await onMail({ to, raw })
      } catch (error) {
        return done(error as Error)
      }
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Writes to the outbox folder, where `mailsTo` reads. */
export const startMailbox = (dataFolder: string) =>
  startMailServer(async ({ raw }) => {
    const folder = join(dataFolder, 'outbox')
    await mkdir(folder, { recursive: true })
    const id = /^Message-ID:\s+<(.+)@atrium>/im.exec(raw.toString('latin1'))![1]!
    await writeFile(join(folder, `${id}.eml`), raw)
  })
