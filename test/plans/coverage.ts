import type { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { contract } from '../../contract/index.ts'
import type { ListRequest } from './list-request.ts'

/** Lists whose items are fixed in the code, or aren't in the database. */
const CONSTANT_LISTS = ['agents.templates', 'modelProviders.local', 'oauth.providers', 'webhooks.eventTypes']
const PAGING = ['limit', 'cursor', 'page', 'offset']

/** Finds the contract’s lists, query fields and enum values that no request covers. */
export function findUncovered(requests: ListRequest[]): string[] {
  return Object.entries(contract)
    .flatMap(([group, endpoints]) =>
      Object.entries(endpoints as Record<string, Endpoint>).map(
        ([name, endpoint]) => [`${group}.${name}`, endpoint] as const,
      ),
    )
    .filter(([name, endpoint]) => isList(endpoint) && !CONSTANT_LISTS.includes(name))
    .flatMap(([name, { query }]) => {
      const queries = requests
        .filter((request) => request.name === name)
        .map(({ path }) => new URLSearchParams(path.split('?')[1] ?? ''))
      if (queries.length === 0) return [name]
      return Object.entries(query?.shape ?? {})
        .filter(([field]) => !PAGING.includes(field))
        .flatMap(([field, schema]) => valuesOf(schema as z.ZodType).map((value) => [field, value] as const))
        .filter(
          ([field, value]) =>
            !queries.some((parameters) => (value ? parameters.get(field) === value : parameters.has(field))),
        )
        .map(([field, value]) => `${name} ${field}=${value ?? '…'}`)
    })
}

const isList = ({ method, output }: Endpoint): boolean =>
  method === 'GET' && 'shape' in output && 'items' in (output.shape as object)

/** The values of an enumeration other than its default; null for a field with any value. */
function valuesOf(schema: z.ZodType): (string | null)[] {
  const { innerType, defaultValue } = schema.def as { innerType?: z.ZodType; defaultValue?: unknown }
  if (innerType) return valuesOf(innerType).filter((value) => value === null || value !== defaultValue)
  return schema.def.type === 'enum' ? [...(schema as z.ZodEnum).options].map(String) : [null]
}
