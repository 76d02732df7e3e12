import type { FastifyInstance } from 'fastify'
import type { Route } from '../route.ts'

export function serveDocs(_http: FastifyInstance, _routes: Route[]): void {}
