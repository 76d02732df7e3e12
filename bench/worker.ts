import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { createLog } from '../server/log.ts'
import { SECRET as secret } from './secret.ts'

/** With production settings, except that it may connect to loopback. */
const connection = JSON.parse(process.argv[2]!)
const config = readConfig({
  PORT: '0',
  ATRIUM_ROLE: 'worker',
  NODE_ENV: 'production',
  ATRIUM_DATA: process.argv[3]!,
  ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  ATRIUM_OLLAMA_URL: 'off',
  ...JSON.parse(process.argv[4]!),
})
const app = await createApp({
  config,
  connection,
  isOnlyProcess: false,
  secret,
  log: await createLog('error'),
})
await app.startWorker()
process.send!('ready')
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
