import type { ChildProcess } from 'node:child_process'
import { AggregatorRegistry } from 'prom-client'
import type { FromChild, MeasuredMetric, ToChild } from './messages.ts'

const MEASURE_MS_MAX = 3000

/** A sum that fell when a process ended would look like new counts. */
const COUNTING = ['counter', 'histogram']

/** The sums of several processes' metrics. Those that ended still count. */
export function createMetricsSum() {
  const lastMeasured = new Map<ChildProcess, MeasuredMetric[]>()
  let ended: Promise<MeasuredMetric[]> = Promise.resolve([])
  let lastRequest = 0

  /** Leaves the last measurement if the process doesn't answer. */
  async function measure(child: ChildProcess): Promise<void> {
    if (!child.connected) return
    const request = ++lastRequest
    const metrics = await new Promise<MeasuredMetric[] | null>((resolve) => {
      const end = (measured: MeasuredMetric[] | null) => {
        clearTimeout(timer)
        child.off('message', onMessage)
        child.off('exit', onExit)
        resolve(measured)
      }
      const onMessage = (message: FromChild) => {
        if (message.type === 'measured' && message.request === request) end(message.metrics)
      }
      const onExit = () => end(null)
      const timer = setTimeout(onExit, MEASURE_MS_MAX)
      child.on('message', onMessage)
      child.on('exit', onExit)
      child.send({ type: 'measure', request } satisfies ToChild)
    })
    if (metrics) lastMeasured.set(child, metrics)
  }

  return {
    measure,
    async read(children: readonly ChildProcess[]): Promise<string> {
      await Promise.all(children.map(measure))
      const measured = children.flatMap((child) => [lastMeasured.get(child) ?? []])
      return sumOf([...measured, await ended]).metrics()
    },
    /** As of its last measurement. */
    retire(child: ChildProcess): void {
      const counts = lastMeasured.get(child)?.filter(({ type }) => COUNTING.includes(String(type)))
      lastMeasured.delete(child)
      if (counts) ended = ended.then((sum) => sumOf([sum, counts]).getMetricsAsJSON())
    },
  }
}

/** The library's type has another one's name. */
const sumOf = (parts: MeasuredMetric[][]) => AggregatorRegistry.aggregate(parts as never)
