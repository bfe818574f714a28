import { chromium } from 'playwright-core';
const [,, url, out, h] = process.argv;
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--use-gl=angle','--use-angle=swiftshader','--enable-unsafe-swiftshader'] });
const p = await b.newPage({ viewport: { width: 1280, height: Number(h||900) } });
await p.goto(url); await p.waitForTimeout(4000);
await p.screenshot({ path: out, fullPage: process.argv[5]==='full' });
await b.close();
