/* oxlint-disable import/default -- asked for raw, a file is its text, whatever it exports */
import receiveNode from './receive.mjs?raw'
import receivePython from './receive.py?raw'
import sendNode from './send.mjs?raw'
import sendPython from './send.py?raw'
import sendCurl from './send.sh?raw'
import sendSignedCurl from './send-signed.sh?raw'

export interface Sample {
  language: string
  /** What to call the file, and how to run it. */
  file?: string
  run?: string
  text: string
}

/** Programs that work as they are, with the secret in WEBHOOK_SECRET. A test runs them all. */
export const SAMPLES: Record<'send' | 'receive', Sample[]> = {
  send: [
    { language: 'curl', text: sendCurl },
    { language: 'curl, signed', text: sendSignedCurl },
    { language: 'Node', file: 'send.mjs', run: 'node send.mjs', text: sendNode },
    { language: 'Python', file: 'send.py', run: 'python3 send.py', text: sendPython },
  ],
  receive: [
    { language: 'Node', file: 'receive.mjs', run: 'node receive.mjs', text: receiveNode },
    { language: 'Python', file: 'receive.py', run: 'python3 receive.py', text: receivePython },
  ],
}

const ADDRESS = 'https://atrium.example/receive'

/** The sample for one webhook. */
export const sampleFor = ({ text }: Sample, receiveUrl: string) =>
  text.trimEnd().replaceAll(ADDRESS, receiveUrl)

/** Put before a sample. The secret of a webhook is shown once, so later it is left to be filled in. */
export const secretLine = (secret = 'whsec_…') => `export WEBHOOK_SECRET='${secret.replaceAll("'", `'\\''`)}'`
