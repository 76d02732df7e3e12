import { chmod, mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareSocketFolder } from './socket-folder.ts'
import { embeddedFixtures } from './testing.ts'

const { newFolder } = embeddedFixtures()
const owner = { uid: process.geteuid!(), gid: process.getegid!() }

test('a data folder with a short path contains the socket', async () => {
  const folder = await newFolder()
  expect(await prepareSocketFolder(folder, owner)).toBe(join(folder, 'run'))
})

test('a socket folder in a shared temporary folder is refused if other users can enter it', async () => {
  const data = await newFolder('long-'.repeat(30))
  const folder = await prepareSocketFolder(data, owner)
  expect(dirname(folder)).toBe(dirname(data))
  expect(await prepareSocketFolder(data, owner)).toBe(folder)

  await chmod(folder, 0o777)
  await expect(prepareSocketFolder(data, owner)).rejects.toThrow('Remove it and start again.')

  const target = await newFolder()
  await mkdir(join(target, 'private'), { mode: 0o700 })
  await rm(folder, { recursive: true })
  await symlink(join(target, 'private'), folder)
  await expect(prepareSocketFolder(data, owner)).rejects.toThrow('Remove it and start again.')
  await rm(folder)
})
