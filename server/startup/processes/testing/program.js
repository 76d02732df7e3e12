// What the tests for `supervise` start instead of the server. A file names its behavior, so that a test can change it.
import { appendFileSync, readFileSync } from 'node:fs'

const [folder] = process.argv.slice(2)
const behavior = readFileSync(`${folder}/behavior`, 'utf8')
const note = (event) => appendFileSync(`${folder}/events`, `${event} ${process.pid}\n`)

process.on('message', ({ type, isFirst, request }) => {
  if (type === 'start') {
    note(isFirst ? 'started first' : 'started')
    if (behavior === 'fails') process.exit(1)
    if (behavior === 'hangs') return
    note('ready')
    process.send({ type: 'ready', banner: isFirst ? 'Atrium is ready' : null })
    if (behavior === 'crashes') setTimeout(() => process.exit(1), 20)
  } else if (type === 'measure') process.send({ type: 'measured', request, metrics: [] })
  else if (type === 'stop' && behavior !== 'ignores stop') {
    note('stopped')
    process.exit(0)
  }
})
