import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPort, type Port } from './port.ts'

let port: Port
let number: number
let children: ChildProcess[]

beforeEach(async () => {
  children = []
  port = createPort()
  number = await port.listen(0, '127.0.0.1')
})
afterEach(() => {
  port.close()
  for (const child of children) child.kill('SIGKILL')
})

async function start(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'testing/receiver.js'), { execArgv: [] })
  children.push(child)
  await once(child, 'message')
  child.on('message', ({ type, connection }: { type: string; connection: number }) => {
    if (type === 'accepted') port.accepted(child, connection)
  })
  child.on('exit', () => port.end(child))
  return child
}

/** The process that answered. */
const ask = async () => Number(await text(connect(number, '127.0.0.1')))

const askOften = (times: number) => Promise.all(Array.from({ length: times }, ask))

describe('a shared port', () => {
  test('gives connections to processes in turn', async () => {
    const [first, second] = [await start(), await start()]
    port.add(first)
    port.add(second)
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(answers).toEqual([first.pid, second.pid, first.pid, second.pid])
  })

  test('lets connections wait until a process is ready', async () => {
    const answers = askOften(5)
    const child = await start()
    port.add(child)
    expect(new Set(await answers)).toEqual(new Set([child.pid]))
  })

  test('gives no connection to a process that leaves', async () => {
    const [leaving, other] = [await start(), await start()]
    port.add(leaving)
    port.add(other)
    port.remove(leaving)
    expect(new Set(await askOften(10))).toEqual(new Set([other.pid]))
  })

  test('gives the connections that a killed process had not taken to another one', async () => {
    const [killed, other] = [await start(), await start()]
    port.add(killed)
    killed.send({ type: 'block' })
    const answers = askOften(10)
    // Until they are handed to the blocked process.
    await sleep(200)
    port.add(other)
    killed.kill('SIGKILL')
    expect(new Set(await answers)).toEqual(new Set([other.pid]))
  })
})
