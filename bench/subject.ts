import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { createLog } from '../server/log.ts'
import { SECRET as secret } from './secret.ts'

/** With production settings, including logs. */
const connection = JSON.parse(process.argv[2]!)
const ATRIUM_DATA = process.argv[3]!
const env = JSON.parse(process.argv[4]!)
const config = readConfig({ PORT: '0', ATRIUM_ROLE: 'api', NODE_ENV: 'production', ATRIUM_DATA, ...env })
const app = await createApp({
  config,
  connection,
  isOnlyProcess: false,
  secret,
  log: await createLog('info'),
})
process.send!(await app.listen())
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
