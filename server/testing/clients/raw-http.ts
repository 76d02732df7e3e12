import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export async function exchangeRaw(url: string, request: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(request)
  const response = await text(socket)
  const [head = '', body = ''] = response.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ', 1)[0]!, line.split(': ')[1]!]),
  )
  return { status: Number(status.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) }
}
