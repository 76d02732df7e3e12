import type { Routes } from '../../client/client.ts'

/** The routes of a virtual module, one line each; see `bundling/contract-routes.ts`. */
export const readRoutes = <C>(groups: Record<string, Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(groups).map(([group, lines]) => [
      group,
      Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, readRoute(line)])),
    ]),
  ) as Routes<C>

function readRoute(line: string) {
  const [verb, path, ...query] = line.split(' ')
  const [method, rest] = verb!.split('!')
  return { method, path, query, envelope: rest === '' }
}
