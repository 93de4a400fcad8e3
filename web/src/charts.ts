// Charts that answer the pointer, in place of the drawings that the page comes with.
import { BarChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { Bars, Cells, Chart, Curves, Points, escaped } from "./data";
import { drawHierarchy } from "./hierarchy";
import { faint, ink, isDark, onTheme, softInk } from "./theme";

echarts.use([
  BarChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
]);

function short(value: unknown): string {
  return typeof value === "number" ? Number(value.toPrecision(5)).toString() : String(value);
}

function axis(name: string, extra: object = {}): object {
  return {
    name,
    nameLocation: "middle",
    nameGap: 30,
    nameTextStyle: { color: ink() },
    axisLabel: { color: softInk() },
    axisLine: { lineStyle: { color: softInk() } },
    splitLine: { lineStyle: { color: faint() } },
    ...extra,
  };
}

function legend(count: number): object {
  return { show: count > 1, type: "scroll", bottom: 0, textStyle: { color: ink() } };
}

const grid = { left: 64, right: 24, top: 16, bottom: 76 };

function optionOf(chart: Curves | Bars | Points | Cells, palette: string[]): object {
  const shared = { color: palette, aria: { enabled: true }, animation: false, grid };
  switch (chart.kind) {
    case "curves":
      return {
        ...shared,
        legend: legend(chart.series.length),
        tooltip: { trigger: "axis", valueFormatter: short },
        xAxis: axis(chart.xLabel, {
          type: chart.logX ? "log" : "value",
          logBase: 2,
          min: "dataMin",
          max: "dataMax",
          axisLabel: { color: softInk(), formatter: short },
        }),
        yAxis: axis(chart.yLabel, {
          type: chart.logY ? "log" : "value",
          scale: true,
          nameGap: 46,
        }),
        dataZoom: [{ type: "inside" }],
        series: chart.series.map((one) => ({
          type: "line",
          name: one.name,
          showSymbol: one.x.length <= 40,
          symbolSize: one.x.length === 1 ? 12 : 5,
          data: one.x.map((x, k) => [x, chart.logY && (one.y[k] ?? 0) <= 0 ? null : one.y[k]]),
        })),
      };
    case "bars":
      return {
        ...shared,
        legend: legend(chart.series.length),
        tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: short },
        xAxis: axis("", {
          type: "category",
          data: chart.groups,
          axisLabel: { color: softInk(), rotate: chart.groups.length > 8 ? 40 : 0 },
        }),
        yAxis: axis(chart.yLabel, { type: "value", nameGap: 46 }),
        series: chart.series.map((name, s) => ({ type: "bar", name, data: chart.values[s] })),
      };
    case "points": {
      const classes = chart.classes.length > 0 ? chart.classes : ["graphs"];
      return {
        ...shared,
        legend: legend(chart.classes.length),
        tooltip: { formatter: (hit: { data: [number, number, string] }) => escaped(hit.data[2]) },
        xAxis: axis(chart.xLabel, { type: "value", scale: true }),
        yAxis: axis(chart.yLabel, { type: "value", scale: true, nameGap: 46 }),
        dataZoom: [{ type: "inside" }, { type: "inside", yAxisIndex: 0 }],
        series: classes.map((name, k) => ({
          type: "scatter",
          name,
          symbolSize: chart.x.length > 2000 ? 4 : 7,
          itemStyle: { opacity: 0.75 },
          data: chart.x
            .map((x, i) => [x, chart.y[i], chart.labels[i] ?? `graph ${i}`])
            .filter((_, i) => (chart.classes.length > 0 ? chart.classOf[i] === k : true)),
        })),
      };
    }
    case "cells": {
      const cells: [number, number, number][] = [];
      let largest = 0;
      chart.values.forEach((row, a) =>
        row.forEach((value, b) => {
          cells.push([b, a, value]);
          largest = Math.max(largest, value);
        }),
      );
      return {
        ...shared,
        grid: { left: 64, right: 24, top: 16, bottom: 96 },
        tooltip: {
          formatter: (hit: { data: [number, number, number] }) =>
            escaped(
              `${chart.names[hit.data[1]]} with ${chart.names[hit.data[0]]}: ${short(hit.data[2])} ${chart.unit}`,
            ),
        },
        xAxis: axis("", { type: "category", data: chart.names }),
        yAxis: axis("", { type: "category", data: chart.names, inverse: true }),
        visualMap: {
          min: 0,
          max: largest || 1,
          calculable: true,
          orient: "horizontal",
          left: "center",
          bottom: 0,
          textStyle: { color: ink() },
          formatter: short,
          inRange: { color: isDark() ? ["#20252b", "#56b4e9", "#fdea45"] : ["#ffffff", "#56b4e9", "#0d2056"] },
        },
        series: [{ type: "heatmap", data: cells, progressive: 0 }],
      };
    }
  }
}

export function drawChart(place: HTMLElement, chart: Chart, palette: string[]): void {
  place.replaceChildren();
  place.classList.add("live");
  if (chart.kind === "hierarchy") {
    drawHierarchy(place, chart, palette);
    return;
  }
  const drawn = echarts.init(place);
  const draw = (): void => drawn.setOption(optionOf(chart, palette), true);
  draw();
  onTheme(draw);
  new ResizeObserver(() => drawn.resize()).observe(place);
}
