import autocannon from 'autocannon'

const CONNECTIONS = 32
const SECONDS = 6

export interface ThroughputResult {
  name: string
  one: number
  two: number
}

interface Measurement {
  name: string
  path: string
  method: 'GET' | 'POST'
  body?: string
}

/** Requests per second with one and with two api processes, one after the other in each measurement. */
export async function compareProcesses(
  url: string,
  key: string,
  measurements: Measurement[],
  setProcessCount: (processes: 1 | 2) => Promise<void>,
): Promise<ThroughputResult[]> {
  const results: ThroughputResult[] = []
  for (const measurement of measurements) {
    await setProcessCount(1)
    const one = await measure(url, key, measurement)
    await setProcessCount(2)
    results.push({ name: measurement.name, one, two: await measure(url, key, measurement) })
  }
  return results
}

async function measure(url: string, key: string, { path, method, body }: Measurement): Promise<number> {
  const { requests, non2xx } = await autocannon({
    url: `${url}/api/v1${path}`,
    method,
    ...(body && { body }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    connections: CONNECTIONS,
    duration: SECONDS,
  })
  if (non2xx > 0) throw new Error(`${method} ${path}: ${non2xx} responses were not 2xx`)
  return requests.average
}
