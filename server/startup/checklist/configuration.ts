import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { type Check, failed, ok, warning } from './check.ts'

const LOOPBACK = /^(localhost|127\..*|\[?::1\]?)$/
const DEFAULT_SENDER = '@localhost'

export const checkConfiguration = (config: Config): Check[] => [
  checkMode(config),
  checkSecret(config),
  checkPublicUrl(config),
  checkProxy(config),
  ...checkSender(config),
  ...config.unused.map((name) => warning('Variables', `${name} is unknown: check its spelling`)),
]

const checkMode = ({ production }: Config): Check =>
  production
    ? ok('Mode', 'production')
    : warning(
        'Mode',
        'development: set NODE_ENV=production, which enables live API keys and disables test models',
      )

/** `checkInstalled` also compares it with the database. */
const checkSecret = ({ secret, dataFolder }: Config): Check =>
  secret
    ? ok('Secret', 'set by ATRIUM_SECRET')
    : warning(
        'Secret',
        `generated into ${dataFolder}/secret, on the same disk as the encrypted data: store a copy in another place, or set ATRIUM_SECRET to it`,
      )

function checkPublicUrl({ publicUrl }: Config): Check {
  const name = 'Address'
  if (!publicUrl)
    return failed(
      name,
      'ATRIUM_PUBLIC_URL is not set: links in emails lead to HOST, and passkeys have no fixed domain',
    )
  const { protocol, hostname } = new URL(publicUrl)
  if (LOOPBACK.test(hostname))
    return failed(name, `${publicUrl} is this machine: set ATRIUM_PUBLIC_URL to the URL that people use`)
  if (protocol !== 'https:')
    return failed(
      name,
      `${publicUrl} is not https: passwords and cookies would be readable on the network; use a TLS proxy`,
    )
  if (isIP(hostname.replaceAll(/[[\]]/g, '')))
    return warning(name, `${publicUrl} is an IP address, where browsers refuse passkeys: use a host name`)
  if (!hostname.includes('.'))
    return warning(name, `${publicUrl} has no domain: external services cannot send webhooks to it`)
  return ok(name, publicUrl)
}

function checkProxy({ publicUrl, trustedProxies, host }: Config): Check {
  const name = 'Proxy'
  const allAddresses = trustedProxies.find((network) => /\/0$/.test(network))
  if (allAddresses)
    return failed(
      name,
      `ATRIUM_TRUSTED_PROXIES contains ${allAddresses}: any client could claim any IP address; name the proxy`,
    )
  if (publicUrl?.startsWith('https:') && trustedProxies.length === 0)
    return warning(
      name,
      'ATRIUM_TRUSTED_PROXIES is not set: all clients have the TLS proxy’s IP address, and share its limits',
    )
  if (!LOOPBACK.test(host) && trustedProxies.length === 0)
    return warning(
      name,
      `HOST=${host} is reachable without TLS: listen on 127.0.0.1 behind a proxy, or close the port`,
    )
  return ok(name, trustedProxies.length > 0 ? `trusts ${trustedProxies.join(', ')}` : 'none')
}

const checkSender = ({ smtpUrl, mailFrom }: Config): Check[] =>
  smtpUrl && mailFrom.includes(DEFAULT_SENDER)
    ? [warning('Email', `the sender is ${mailFrom}, which mail servers refuse: set ATRIUM_MAIL_FROM`)]
    : []
