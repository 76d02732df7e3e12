import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { asUser, inNamespace, type RunAs } from './run-as.ts'
import { embeddedFixtures, QUICK, query } from './testing.ts'

const { newFolder, initializedFolder, spawnOwner } = embeddedFixtures()

const forbidden: RunAs = { ...inNamespace(), prefix: ['false'] }
const unprivilegedUser = asUser('nobody')!

describe.runIf(process.geteuid?.() === 0)('startEmbedded as root', () => {
  test.concurrent('runs the server as another user where namespaces are forbidden, and as itself again later', async () => {
    const folder = await newFolder()
    await chmod(folder, 0o755)
    for (const [runAs, owner] of [
      [unprivilegedUser, unprivilegedUser.owner.uid],
      [inNamespace(), 0],
      [unprivilegedUser, unprivilegedUser.owner.uid],
    ] as const) {
      const server = await startEmbedded(folder, { ...QUICK, runAs: [forbidden, runAs] })
      await query(server, 'create table if not exists note (text text)')
      await query(server, "insert into note values ('x')")
      await server.stop()
      expect((await stat(join(folder, 'postgres', 'global'))).uid).toBe(owner)
    }
  })

  test.concurrent("names a data folder the other user can't enter, and the remedy", async () => {
    const folder = await newFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    await expect(startEmbedded(data, { runAs: [forbidden, unprivilegedUser] })).rejects.toThrow(
      `PostgreSQL must not run as root, and as the user nobody it cannot enter ${folder}. Start Atrium as a ` +
        'non-root user, or move it and ATRIUM_DATA to folders that every user can enter.',
    )
  })

  test.concurrent('names a home folder that only root can enter, as under sudo', async () => {
    const home = await newFolder()
    await chown(home, 54_321, 54_321)
    const data = join(home, 'data')
    await mkdir(data)
    await expect(startEmbedded(data)).rejects.toThrow(`without root's privileges it cannot enter ${home}.`)
  })

  test.concurrent('names the remedy when there is no user to run as', async () => {
    const folder = await newFolder()
    await expect(startEmbedded(folder, { runAs: [forbidden] })).rejects.toThrow('Start Atrium as such a user')
  })

  test.concurrent.each([
    ['a named user', unprivilegedUser.owner.uid],
    ['a user without a name', 54_321],
  ])('starts the server for %s', async (_, uid) => {
    const folder = await newFolder()
    await chown(folder, uid, uid)
    const { firstOutput } = spawnOwner(folder, { uid, gid: uid })
    expect(await firstOutput).toBe('ready')
    expect((await stat(join(folder, 'postgres'))).uid).toBe(uid)
  })

  test.concurrent('names the remedy when the database belongs to another user', async () => {
    const folder = await initializedFolder()
    await chown(folder, unprivilegedUser.owner.uid, unprivilegedUser.owner.gid)
    const { firstOutput } = spawnOwner(folder, unprivilegedUser.identity)
    expect(await firstOutput).toMatch(
      /cannot be used for the database .+ Start Atrium as the user who owns it, or set ATRIUM_DATA/,
    )
  })
})
