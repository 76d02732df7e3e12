// What the tests for `supervise` start instead of the server. A file names its behavior, so that a test can change it.
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder] = process.argv.slice(2)
const readBehavior = () => readFileSync(`${folder}/behavior`, 'utf8')
const behavior = readBehavior()
const note = (event) => appendFileSync(`${folder}/events`, `${event} ${process.pid}\n`)

process.on('message', async ({ type, isFirst, request }) => {
  if (type === 'start') {
    note(isFirst ? 'started first' : 'started')
    if (behavior === 'fails') process.exit(1)
    if (behavior === 'hangs') return
    while (behavior === 'waits' && readBehavior() === 'waits') await sleep(5)
    note('ready')
    process.send({ type: 'ready', banner: isFirst ? 'Atrium is ready' : null })
    if (behavior === 'crashes') setTimeout(() => process.exit(1), 20)
  } else if (type === 'measure') process.send({ type: 'measured', request, metrics: [] })
  else if (type === 'ask') process.send({ type: 'works' })
  else if (type === 'stop' && behavior !== 'ignores stop') {
    note('stopped')
    process.exit(0)
  }
})
process.on('SIGTERM', () => process.send({ type: 'leaving' }))
