#!/usr/bin/env node
import { launch } from '../build/launch.js'

await launch('server', import.meta.url)
