import { describe, expect, test } from 'vitest'
import { checkTargetUrl, isPublicIp } from './public-network.ts'

describe('isPublicIp', () => {
  test.each(['1.1.1.1', '8.8.8.8', '142.250.74.78', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
    'accepts %s',
    (address) => expect(isPublicIp(address)).toBe(true),
  )

  test.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
    ...[
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
    ],
    ...[
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.7',
      '203.0.113.7',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '::808:808',
      'fc00::1',
      'fd12::1',
      'fe80::1',
    ],
    ...[
      'fec0::1',
      'ff02::1',
      '2002:7f00:1::',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2001:0:1::1',
      '2001:db8::1',
      '100::1',
    ],
    ...['::1:7f00:1', '::ffff:0:127.0.0.1', '4000::1', '3fff::1', '5f00::1', '2001:20::1'],
    ...['fe80::1%eth0', 'localhost', '', '1.1.1', '::g'],
  ])('refuses %s', (address) => expect(isPublicIp(address)).toBe(false))

  test.each([
    ['AWS, Google, Azure, DigitalOcean, Hetzner', '169.254.169.254'],
    ['AWS containers', '169.254.170.2'],
    ['AWS over IPv6', 'fd00:ec2::254'],
    ['Google over IPv6', 'fd20:ce::254'],
    ['Azure WireServer', '168.63.129.16'],
    ['Azure WireServer as IPv6', '::ffff:168.63.129.16'],
    ['Azure WireServer through NAT64', '64:ff9b::a83f:8110'],
    ['Azure WireServer through 6to4', '2002:a83f:8110::1'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle, former', '192.0.0.192'],
    ['Scaleway', '169.254.42.42'],
    ['Tencent', '169.254.0.23'],
    ['OpenStack over IPv6', 'fe80::a9fe:a9fe'],
  ])('refuses the metadata service: %s, %s', (_, address) => {
    expect(isPublicIp(address)).toBe(false)
    expect(checkTargetUrl(`http://${address.includes(':') ? `[${address}]` : address}/`)).toBe(
      'must be a public URL',
    )
  })

  test('accepts a non-public IP address only inside an allowed network', () => {
    expect(isPublicIp('127.0.0.1', ['127.0.0.0/8'])).toBe(true)
    expect(isPublicIp('10.0.0.1', ['127.0.0.0/8', '::1/128'])).toBe(false)
    expect(isPublicIp('::1', ['::1/128'])).toBe(true)
  })
})

describe('checkTargetUrl', () => {
  test.each([
    'https://example.com/hook',
    'http://example.com:8080/a?b=c#d',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/',
    'https://example.com./',
  ])('accepts %s', (url) => expect(checkTargetUrl(url)).toBeNull())

  test.each([
    ['', 'such as'],
    ['example.com', 'such as'],
    ['//example.com', 'such as'],
    ['ftp://example.com', 'http'],
    ['file:///etc/passwd', 'http'],
    ['gopher://example.com', 'http'],
    ['https://user:secret@example.com', 'user name'],
    ['https://user@example.com', 'user name'],
    ['http://0/', 'public'],
    ['http://127.1/', 'public'],
    ['http://2130706433/', 'public'],
    ['http://0x7f.1/', 'public'],
    ['http://0x7f000001/', 'public'],
    ['http://017700000001/', 'public'],
    ['http://127.0.0.1./', 'public'],
    ['http://[::1]/', 'public'],
    ['http://[::ffff:127.0.0.1]/', 'public'],
    ['http://[::ffff:7f00:1]/', 'public'],
    ['http://[fe80::1]/', 'public'],
    ['http://169.254.169.254/latest/meta-data', 'public'],
    ['http://localhost/', 'public'],
    ['http://LOCALHOST./', 'public'],
    ['http://localhost../', 'public'],
    ['http://ｌｏｃａｌｈｏｓｔ/', 'public'],
    ['http://ⓛocalhost/', 'public'],
    ['http://app.localhost/', 'public'],
    ['http://printer.local/', 'public'],
    ['http://metadata.google.internal/', 'public'],
    ['http://intranet/', 'public'],
    ['https://example.com:22/', 'port 22'],
    ['https://example.com:25/', 'port 25'],
    ['https://example.com:5432/', 'port 5432'],
    ['https://example.com:6379/', 'port 6379'],
  ])('refuses %s', (url, reason) => expect(checkTargetUrl(url)).toContain(reason))

  test('accepts local hosts when a non-public network is allowed', () => {
    expect(checkTargetUrl('http://127.0.0.1:4000/hook', ['127.0.0.0/8'])).toBeNull()
    expect(checkTargetUrl('http://[::1]:4000/hook', ['127.0.0.0/8'])).toContain('public')
    expect(checkTargetUrl('http://localhost:4000/hook', ['127.0.0.0/8'])).toBeNull()
    expect(checkTargetUrl('http://workflows:5678/hook', ['172.16.0.0/12'])).toBeNull()
  })
})
