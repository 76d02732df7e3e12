import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const DOCUMENT = read('docs/operate/observability.md')
/** The variable of the dashboard. */
const DATA_SOURCE = '$'.concat('{datasource}')

interface MetricDescription {
  name: string
  type: string
  labels: string[]
}

let app: TestApp
let registered: MetricDescription[]
beforeAll(async () => {
  // With a collector and a standby, so that their metrics exist too.
  const nowhere = 'postgres://atrium@127.0.0.1:9/atrium'
  app = await buildTestApp({
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces',
      DATABASE_URL: nowhere,
      DATABASE_READ_URL: nowhere,
    },
  })
  const metrics = app.app.observability.http.metrics.registry.getMetricsAsArray() as unknown as {
    name: string
    type: string
    labelNames: string[]
  }[]
  registered = metrics.map(({ name, type, labelNames }) => ({ name, type, labels: [...labelNames].sort() }))
})
afterAll(() => app.close())

/** The rows of the tables of metrics; a row may describe several. */
const documented: MetricDescription[] = DOCUMENT.split('\n').flatMap((line) => {
  const [, names = '', type = '', labels = ''] = line.split('|').map((cell) => cell.trim())
  if (!['counter', 'gauge', 'histogram'].includes(type)) return []
  return codeSpansIn(names).map((name) => ({ name, type, labels: codeSpansIn(labels).sort() }))
})

function codeSpansIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
}

const byName = (a: MetricDescription, b: MetricDescription) => (a.name < b.name ? -1 : 1)

describe('metrics', () => {
  test('docs/operate/observability.md describes exactly the existing metrics, with types and labels', () => {
    const isOwn = ({ name }: MetricDescription) => name.startsWith('atrium_')
    expect(documented.filter(isOwn).sort(byName)).toEqual(registered.filter(isOwn).sort(byName))
    // Systems other than Linux have fewer of them.
    const others = registered.filter((metric) => !isOwn(metric))
    expect(documented).toEqual(expect.arrayContaining(others))
  })

  test('names have Prometheus units, and no label has unbounded values', () => {
    const bounded = 'method route status tool outcome task state provider direction stage action queue role'
    const violations = registered.flatMap(({ name, type, labels }) => {
      if (!name.startsWith('atrium_')) return []
      const problems = [
        !/^[a-z]+(_[a-z]+)+$/.test(name) && 'is not in snake case',
        (type === 'counter') !== name.endsWith('_total') &&
          'a counter ends with _total, and nothing else does',
        type === 'histogram' && !/_(seconds|bytes)$/.test(name) && 'a histogram ends with its unit',
        /(duration|lag)/.test(name) && !/_seconds(_total)?$/.test(name) && 'a time is in seconds',
        /(size|free|memory)/.test(name) && !/_bytes(_total)?$/.test(name) && 'a size is in bytes',
        /_(ms|milliseconds|minutes|kb|mb|percent)(_|$)/.test(name) && 'has no base unit',
        ...labels.map(
          (label) => !bounded.split(' ').includes(label) && `the label ${label} may be unbounded`,
        ),
      ]
      return problems.filter(Boolean).map((problem) => `${name}: ${problem}`)
    })
    expect(violations).toEqual([])
  })
})

/** Series and labels of an expression that no process has. Labels of the scrape itself are allowed. */
function unknownIn(expression: string): string[] {
  const text = expression.replaceAll(/"[^"]*"/g, '""')
  const series = [...text.matchAll(/\b(?:atrium|nodejs|process)_\w+/g)].map(([name]) => name)
  const found = series.map((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, '')
    return registered.find(
      (metric) => metric.name === name || (metric.name === base && metric.type === 'histogram'),
    )
  })
  const knownLabels = new Set(['le', 'instance', 'job', ...found.flatMap((metric) => metric?.labels ?? [])])
  const labels = [
    ...[...text.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, label]) => label!),
    ...[...text.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/[\s,]+/)),
  ]
  return [
    ...series.filter((_, index) => !found[index]),
    ...labels.filter((label) => label !== '' && !knownLabels.has(label)),
  ]
}

test('the Grafana dashboard is complete and shows only existing metrics and labels', () => {
  const dashboard = JSON.parse(read('deploy/grafana/atrium.json'))
  expect(dashboard).toMatchObject({ uid: 'atrium', title: 'Atrium', schemaVersion: 39 })
  const variables = dashboard.templating.list.map(({ name }: { name: string }) => name)
  expect(variables).toEqual(['datasource', 'instance'])
  type Panel = {
    id: number
    type: string
    title: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets?: { expr: string; refId: string; datasource: { uid: string } }[]
  }
  const panels: Panel[] = dashboard.panels
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24)
    return Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
  const targets = panels.flatMap(({ targets = [], type }) => {
    if (type !== 'row') expect(targets.length).toBeGreaterThan(0)
    return targets
  })
  expect(targets.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
  expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set([DATA_SOURCE]))
  // Every metric of Atrium is on it.
  const expressions = targets.map(({ expr }) => expr).join(' ')
  const ownNames = registered.map(({ name }) => name).filter((name) => name.startsWith('atrium_'))
  expect(ownNames.filter((name) => !expressions.includes(name))).toEqual([])
})

test('every alert uses existing metrics, and the document names the action for it', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yaml'))
  type Rule = {
    alert: string
    expr: string
    for: string
    labels: { severity: string }
    annotations: Record<string, string>
  }
  const rules: Rule[] = groups.flatMap((group: { rules: Rule[] }) => group.rules)
  for (const rule of rules) {
    expect(unknownIn(rule.expr), rule.alert).toEqual([])
    expect(rule.for, rule.alert).toMatch(/^\d+m$/)
    expect(['info', 'warning', 'critical'], rule.alert).toContain(rule.labels.severity)
    expect(Object.keys(rule.annotations), rule.alert).toEqual(['summary', 'description'])
  }
  const describedAlerts = [...DOCUMENT.matchAll(/^\| `(Atrium\w+)` \|/gm)].map(([, name]) => name!)
  expect(describedAlerts).toEqual(rules.map(({ alert }) => alert))
})
