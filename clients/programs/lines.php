<?php
/**
 * Sends a bulk write or receives an export with PHP's cURL in chunks, so that memory use is bounded.
 *
 *     KEY=... php lines.php bulk FILE URL      sends the file's lines; prints the results
 *     KEY=... php lines.php export URL         prints the records
 *
 * Exits with 1 if the store rejects the request or the response is cut off.
 */

[, $what, $file, $url] = $argv[1] === 'bulk' ? $argv : [$argv[0], $argv[1], null, $argv[2]];
$lines = 0;
$total = null;
$last = '';
$request = curl_init($url);
curl_setopt_array($request, [
    CURLOPT_CONNECTTIMEOUT => 5,
    // Gives up if the store sends no data for a minute.
    CURLOPT_LOW_SPEED_LIMIT => 1,
    CURLOPT_LOW_SPEED_TIME => 60,
    CURLOPT_HEADERFUNCTION => function ($request, string $header) use (&$total): int {
        if (preg_match('/^X-Total-Count: (\d+)/i', $header, $found)) {
            $total = (int) $found[1];
        }
        return strlen($header);
    },
    CURLOPT_WRITEFUNCTION => function ($request, string $part) use (&$lines, &$last): int {
        echo $part;
        $lines += substr_count($part, "\n");
        $last = substr($last . $part, -1000);
        return strlen($part);
    },
]);
$headers = ['X-Auth-Token: ' . getenv('KEY')];
if ($what === 'bulk') {
    $source = fopen($file, 'rb');
    curl_setopt_array($request, [
        // Without a size, the lines are read and sent in chunks.
        CURLOPT_UPLOAD => true,
        CURLOPT_CUSTOMREQUEST => 'POST',
        CURLOPT_INFILE => $source,
        CURLOPT_HTTPHEADER => [...$headers, 'Content-Type: application/x-ndjson'],
    ]);
} else {
    curl_setopt($request, CURLOPT_HTTPHEADER, [...$headers, 'Accept: application/x-ndjson']);
}
$isDone = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
if (!$isDone || $status !== 200) {
    fwrite(STDERR, "$status " . curl_error($request) . "\n");
    exit(1);
}
$isWhole = $what === 'bulk' ? str_contains($last, '"complete":true') : $lines === $total;
if (!$isWhole) {
    fwrite(STDERR, "The response was cut off.\n");
    exit(1);
}
