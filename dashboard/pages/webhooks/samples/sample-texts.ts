/* oxlint-disable import/default -- `?raw` imports the text of a file */
import receiveNode from './receive.mjs?raw'
import receivePython from './receive.py?raw'
import sendNode from './send.mjs?raw'
import sendPython from './send.py?raw'
import sendCurl from './send.sh?raw'
import sendSignedCurl from './send-signed.sh?raw'

export interface Sample {
  language: string
  /** The file name, and the command that runs it. */
  file?: string
  run?: string
  text: string
}

/** Complete programs that read the secret from WEBHOOK_SECRET. A test runs all of them. */
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

const PLACEHOLDER_URL = 'https://atrium.example/receive'

/** The sample with the receiving URL of one webhook. */
export const sampleFor = ({ text }: Sample, receiveUrl: string) =>
  text.trimEnd().replaceAll(PLACEHOLDER_URL, receiveUrl)

/** The command that sets the secret. The secret is shown only once; later a placeholder stands for it. */
export const secretLine = (secret = 'whsec_…') => `export WEBHOOK_SECRET='${secret.replaceAll("'", `'\\''`)}'`
