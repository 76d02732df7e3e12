import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { asUser, inNamespace, type RunAs } from './run-as.ts'
import { playground, QUICK, query } from './testing.ts'

const { newFolder, usedFolder, spawnOwner } = playground()

const forbidden: RunAs = { ...inNamespace(), prefix: ['false'] }
const nobody = asUser('nobody')!

describe.runIf(process.geteuid?.() === 0)('on a machine where we are root', () => {
  test.concurrent('where namespaces are forbidden, root hands the server to another user, and can take it back', async () => {
    const folder = await newFolder()
    await chmod(folder, 0o755)
    for (const [runAs, owner] of [
      [nobody, nobody.owner.uid],
      [inNamespace(), 0],
      [nobody, nobody.owner.uid],
    ] as const) {
      const server = await startEmbedded(folder, { ...QUICK, runAs: [forbidden, runAs] })
      await query(server, 'create table if not exists note (text text)')
      await query(server, "insert into note values ('x')")
      await server.stop()
      expect((await stat(join(folder, 'postgres', 'global'))).uid).toBe(owner)
    }
  })

  test.concurrent('a data folder that the other user cannot enter is named, with what to do', async () => {
    const folder = await newFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    await expect(startEmbedded(data, { runAs: [forbidden, nobody] })).rejects.toThrow(
      `PostgreSQL must not run as root, and as the user nobody it cannot enter ${folder}. Start Atrium as an ` +
        'ordinary user, or move it and ATRIUM_DATA to folders that everybody can enter.',
    )
  })

  test.concurrent("a home that only root's privileges open is named, as under sudo", async () => {
    const home = await newFolder()
    await chown(home, 54_321, 54_321)
    const data = join(home, 'data')
    await mkdir(data)
    await expect(startEmbedded(data)).rejects.toThrow(`without root's privileges it cannot enter ${home}.`)
  })

  test.concurrent('without any user to run as, the remedy is named', async () => {
    const folder = await newFolder()
    await expect(startEmbedded(folder, { runAs: [forbidden] })).rejects.toThrow('Start Atrium as such a user')
  })

  test.concurrent.each([
    ['an ordinary user', nobody.owner.uid],
    ['a user that is a mere number', 54_321],
  ])('%s starts the server without further ado', async (_, uid) => {
    const folder = await newFolder()
    await chown(folder, uid, uid)
    const { said } = spawnOwner(folder, { uid, gid: uid })
    expect(await said).toBe('ready')
    expect((await stat(join(folder, 'postgres'))).uid).toBe(uid)
  })

  test.concurrent("an ordinary user is told when the database is somebody else's", async () => {
    const folder = await usedFolder()
    await chown(folder, nobody.owner.uid, nobody.owner.gid)
    const { said } = spawnOwner(folder, nobody.identity)
    expect(await said).toMatch(
      /cannot be used for the database .+ Start Atrium as the user who owns it, or set ATRIUM_DATA/,
    )
  })
})
