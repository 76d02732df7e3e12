import { beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { createHome } from '../../testing/command.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test("atrium mcp prints a client's setup, lists the key's tools and calls one", async () => {
  const person = await app.person(await app.organization())
  const { key } = await app.key(person, ['mcp:write'])
  const reader = await app.key(person, ['mcp:read'])
  const home = await createHome()
  const runAs = (secret: string, ...args: string[]) =>
    home.run(['mcp', ...args], {
      env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: secret },
      cwd: home.folder,
    })
  const run = (...args: string[]) => runAs(key, ...args)

  expect(await run()).toMatchObject({ code: 0, stdout: `${app.url}/mcp\n` })
  expect((await run('--client', 'claude-code')).stdout).toContain(
    `claude mcp add --transport http atrium ${app.url}/mcp`,
  )
  for (const client of ['claude-desktop', 'cursor', 'vscode', 'codex', 'mcp-remote'])
    expect(await run('--client', client)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${app.url}/mcp`),
    })
  expect(await run('--client', 'word')).toMatchObject({ code: 2 })

  expect((await run('tools')).stdout).toMatch(/edit_canvas +deletes +Change a project’s canvas/)
  expect((await runAs(reader.key, 'tools')).stdout).not.toContain('edit_canvas')
  const project = JSON.parse((await run('call', 'create_project', '{"name":"Plan"}')).stdout)
  expect(project).toMatchObject({ slug: 'plan' })
  expect(await runAs(reader.key, 'call', 'create_project', '{"name":"B"}')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('may only read'),
  })
  expect(await run('call', 'whoami', '[]')).toMatchObject({ code: 2 })
  expect(await run('call', 'no_tool')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no tool'),
  })
  expect(await runAs('atrium_test_0', 'tools')).toMatchObject({ code: 3 })
})
